/** A code of findings: what it means, and what `rules` of upkeep.yaml can set for it. */
export interface FindingCode {
  readonly meaning: string;
  /** `rules` cannot set the severity: a configuration with such an error cannot be used. */
  readonly isFixed?: true;
  /** The findings are about a date to come; `within` in `rules` says how long before it they are reported. */
  readonly hasDate?: true;
  /**
   * What a command must know beside the configuration to find it: the account, or what `check` looks up there. `run` is about one run, a change
   * or a request that failed: where it is not found, nothing follows. Absent = nothing.
   */
  readonly needs?: 'account' | 'look-up' | 'run';
}

/** The codes of one owner: of a kind, or of everything else. */
export interface FindingCodes {
  readonly [code: string]: FindingCode;
}

/** The codes of findings that are of no kind. */
export const GENERAL_CODES: FindingCodes = {
  'ignores-nothing': { meaning: 'an entry of `ignore_changes` matches no declared resource' },
  'hidden-character': { meaning: 'an invisible or bidirectional character in a name or a text, other than within emoji' },
  'spreadsheet-error': { meaning: 'a cell of a table that holds an error of a spreadsheet (`#N/A`), `NaN` or `undefined`' },
  'empty-table': { meaning: 'a table with a header and without a row' },
  'unused-parameter': { meaning: 'a template does not use one of its parameters' },
  'file-not-read': { meaning: 'a file in a folder of `sources` whose name is almost that of a source' },
  'unused-template': { meaning: 'a template that nothing uses' },
  'unused-entry-list': { meaning: 'an entry list that no list includes' },
  'references-not-checked': { meaning: 'IDs could not be checked; the summary says why', needs: 'run' },
  'adopt-target-missing': { meaning: '`adopt` names an object that the account does not have', needs: 'account' },
  'id-changes': {
    meaning: 'an address cannot have the object that `adopt` or the ledger names, and gets one with another ID',
    needs: 'run',
  },
  'section-removed': { meaning: 'a section is no longer declared, and objects of it that were applied are left as they are', needs: 'run' },
  'undone-adoption': { meaning: 'going back to an apply leaves an object that was adopted since with its values', needs: 'run' },
  'other-project': { meaning: 'an object that the ledger of another project binds, perhaps in the same account', needs: 'run' },
  'undone-edit': { meaning: 'an apply that `undo` reverts had overwritten an edit by hand, which is not restored', needs: 'run' },
  'looks-like-rename': { meaning: 'a create differs only in its name from a delete, or from an undeclared live object', needs: 'run' },
  'cannot-be-declared': {
    meaning: '`exclusive` keeps an object that nobody declares, because no configuration can declare it',
    needs: 'account',
  },
  'sent-whole': { meaning: '`--only-origin` cannot leave a field alone, because its object is always sent whole', needs: 'run' },
  'member-reset': {
    meaning: 'an update may reset members that `service.resettable_members` names; the summary has their values',
    needs: 'run',
  },
  guard: { meaning: 'a guard warns', needs: 'run' },
  'guard-failed': { meaning: 'a guard could not be evaluated, and blocks', needs: 'run' },
  alias: { meaning: 'YAML aliases that repeat too many values, or one that repeats itself', isFixed: true },
  'ambiguous-number': { meaning: 'a number that YAML readers understand differently, or that cannot be read exactly', isFixed: true },
  'base-url': { meaning: 'a `base_url` that is no address with HTTPS (HTTP on loopback only)', isFixed: true },
  'credential-source': { meaning: 'a credential that names none, or several, of `env`, `file` and `command`', isFixed: true },
  'csv-cells': { meaning: 'a row of a table with more or fewer cells than its header', isFixed: true },
  'csv-header': { meaning: 'a header of a table with an empty or repeated column', isFixed: true },
  'csv-syntax': { meaning: 'a table whose quotes are not those of CSV (RFC 4180)', isFixed: true },
  'duplicate-binding': { meaning: '`adopt` binds two addresses to one object', isFixed: true },
  'duplicate-item': { meaning: 'an item that a list has already', isFixed: true },
  'duplicate-key': { meaning: 'a key that is defined twice in one source', isFixed: true },
  'duplicate-link': { meaning: 'a symbolic link to a file or folder that the source holds already', isFixed: true },
  'empty-source': { meaning: 'a source that does not exist, or holds no file', isFixed: true },
  'external-id-ambiguous': { meaning: 'an external ID that several assets have', isFixed: true },
  'external-id-not-found': { meaning: 'an external ID that no asset has', isFixed: true },
  'guard-expression': { meaning: 'an expression of a guard that cannot be used', isFixed: true },
  'ignore-changes': { meaning: 'an entry of `ignore_changes` that is not allowed, or names what cannot be ignored', isFixed: true },
  'include-cycle': { meaning: 'an entry list that includes itself', isFixed: true },
  'invalid-key': { meaning: 'a key that is not allowed here', isFixed: true },
  'invalid-value': { meaning: 'a value that is not allowed here', isFixed: true },
  'ledger-address': { meaning: 'an address of a ledger repository that cannot be used', isFixed: true },
  'literal-credential': { meaning: 'a credential written into `upkeep.yaml`', isFixed: true },
  'missing-file': { meaning: 'a file that does not exist, or cannot be read', isFixed: true },
  'not-checked-out': { meaning: 'a file that the commit has and git has not checked out, as in a sparse checkout', isFixed: true },
  'missing-key': { meaning: 'a required key that is missing', isFixed: true },
  'missing-parameter': { meaning: 'a parameter of a template without a value', isFixed: true },
  move: { meaning: 'an entry of `moved` that cannot be followed', isFixed: true },
  'not-acceptable': { meaning: 'a live value that `drift accept` cannot write into the sources', isFixed: true },
  'not-adoptable': { meaning: '`adopt` names an address whose object is known without it', isFixed: true },
  'not-text': { meaning: 'a file that is not UTF-8 text', isFixed: true },
  'file-ending': { meaning: 'a file whose ending is not that of a source, a table or a text file', isFixed: true },
  null: { meaning: 'a key without a value, where null removes nothing', isFixed: true },
  'out-of-range': { meaning: 'a number or text above or below its limits', isFixed: true },
  'outside-project': { meaning: 'a path that leads out of the project', isFixed: true },
  'parameter-is-variable': { meaning: 'a parameter with the name of a variable in `vars`', isFixed: true },
  'managed-twice': { meaning: '`manages` of two projects of the repository can name the same resources of one account', isFixed: true },
  'not-managed': { meaning: 'a resource outside of `manages` of the target', isFixed: true },
  'unmanaged-object': { meaning: 'a live object that would be bound, and that `manages` of the target does not name', isFixed: true },
  removed: { meaning: 'an entry of `removed` that is still declared, or cannot be followed', isFixed: true },
  'shared-ledger': { meaning: 'a target whose ledger another project of the repository has, too', isFixed: true },
  'safeguard-lowered': {
    meaning: 'a setting of `upkeep.yaml` that holds changes back, and holds less back once it is merged',
    isFixed: true,
  },
  'unusable-base': { meaning: 'the configuration with which `diff` compares cannot be used', isFixed: true },
  'settings-not-trusted': { meaning: '`upkeep.yaml` differs from the one of `--trust-from`, which counts', isFixed: true },
  'template-body': { meaning: 'a template without a body, or with several', isFixed: true },
  'stage-cycle': { meaning: 'targets that come after each other', isFixed: true },
  'stage-without-ledger': { meaning: '`after` on or from a target that keeps no ledger', isFixed: true },
  'too-deep': { meaning: 'values or folders that are nested too deeply', isFixed: true },
  'too-large': { meaning: 'a file, folder or text that is too large', isFixed: true },
  'undeclared-address': { meaning: '`adopt` names an address that is not declared', isFixed: true },
  'unknown-address': { meaning: 'a text that is no address', isFixed: true },
  'unknown-device': { meaning: 'a name in `devices` that is no built-in class of devices', isFixed: true },
  'unknown-entry-list': { meaning: 'an entry list that does not exist', isFixed: true },
  'unknown-key': { meaning: 'a key that does not exist here', isFixed: true },
  'unknown-target': { meaning: '`after` names no other target', isFixed: true },
  'unknown-parameter': { meaning: 'a parameter that the template does not have', isFixed: true },
  'unused-rule': { meaning: 'an entry of `rules` without effect', isFixed: true },
  'window-never-opens': { meaning: '`windows` that never open, or a `cron` in them that matches no date', isFixed: true },
  'unknown-template': { meaning: 'a template that does not exist', isFixed: true },
  'unknown-variable': { meaning: 'a variable that `vars` does not have', isFixed: true },
  'unquoted-id': { meaning: 'an ID without quotes that YAML reads as a number', isFixed: true },
  unrecognisable: { meaning: 'a resource without a name by which its object could be found', isFixed: true },
  'unsupported-key': { meaning: 'a YAML key that is not supported: empty, a merge key, or a reserved name', isFixed: true },
  'wrong-type': { meaning: 'a value of another type than the expected one', isFixed: true },
  'yaml-syntax': { meaning: 'a text that is not valid YAML', isFixed: true },
};
