/** What the contract tests of all kinds share. */
import type { Kind } from '../../../src/core/kinds/kind.ts';
import { addressPrefixes } from '../../../src/core/model/address.ts';
import type { TestProject } from '../../support/harness.ts';

/** Returns the flags that confine a run to one kind. */
export function only(kind: Kind): readonly string[] {
  return addressPrefixes(kind).flatMap((prefix) => ['--only', prefix.endsWith('/') ? `${prefix}*` : prefix]);
}

/** Makes the exported folder the source of `production`, at the service of the project or at another one. */
export function useExportAsSource(project: TestProject, url = project.emulator.url): void {
  project.write(
    'upkeep.yaml',
    `version: 1
targets:
  production:
    base_url: ${url}
    credentials: { owner: { env: UPKEEP_OWNER }, api_key: { env: UPKEEP_API_KEY } }
    sources: [exported]
`,
  );
}
