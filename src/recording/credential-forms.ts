/** What looks like a credential, whosever it is. */
const FORMS: readonly (readonly [what: string, form: RegExp])[] = [
  ['a token', /eyJ[\w-]{8,}\.[\w-]{4,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY/],
  ['a signature', /\b(msg|sig)=[A-Za-z0-9%+/]{16}/],
];

/** Names what in a text looks like a credential; empty where nothing does. */
export function credentialFormsIn(text: string): readonly string[] {
  return FORMS.filter(([, form]) => form.test(text)).map(([what]) => what);
}
