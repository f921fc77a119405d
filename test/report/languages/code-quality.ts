/** Reads GitLab code quality reports strictly by their documentation ("Code Quality report format"): no other member is allowed. */
import { Ajv } from 'ajv';

const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string' },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', not: { pattern: '^\\./' } },
          lines: {
            type: 'object',
            additionalProperties: false,
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
};

/** One violation. */
export interface Violation {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const ajv = new Ajv({ strict: true, allErrors: true, strictTypes: false });
const accepts = ajv.compile<readonly Violation[]>(SCHEMA);

/** Reads a report. @throws Error that names what GitLab would reject */
export function readCodeQuality(report: string): readonly Violation[] {
  const violations: unknown = JSON.parse(report);
  if (!accepts(violations)) throw new Error(ajv.errorsText(accepts.errors));
  const fingerprints = new Set(violations.map(({ fingerprint }) => fingerprint));
  if (fingerprints.size < violations.length) throw new Error('two violations with one fingerprint');
  return violations;
}
