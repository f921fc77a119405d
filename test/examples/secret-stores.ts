/** Stand-ins for AWS Secrets Manager and Vault: programs and actions that give a role its own pair of secrets and nothing else. */
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { type Environment, SECRETS } from './recipe-project.ts';

/** The ID token that the CI system issues to a job. */
export const ID_TOKEN = 'id-token-of-this-job';

/** The roles of AWS: each may read the pair of secrets of one environment. */
export const AWS_ROLES = { plan: 'arn:aws:iam::111122223333:role/upkeep-plan', apply: 'arn:aws:iam::111122223333:role/upkeep-apply' };

/** The program `aws`. It has the session of a role, or exchanges the ID token of a file for the role that AWS_ROLE_ARN names. */
export const AWS = `
case "$AWS_SESSION_TOKEN" in
  session-of-*) role=\${AWS_SESSION_TOKEN#session-of-} ;;
  *) [ "$(cat "$AWS_WEB_IDENTITY_TOKEN_FILE")" = ${ID_TOKEN} ] || exit 253; role=$AWS_ROLE_ARN ;;
esac
[ -n "$AWS_REGION" ] || exit 253
[ "$1 $2 $3 $5 $6 $7 $8 $#" = "secretsmanager get-secret-value --secret-id --query SecretString --output text 8" ] || exit 252
case "$role $4" in
  "${AWS_ROLES.plan} upkeep/production-plan/owner" | "${AWS_ROLES.apply} upkeep/production/owner") echo "${SECRETS.UPKEEP_OWNER}" ;;
  "${AWS_ROLES.plan} upkeep/production-plan/api_key" | "${AWS_ROLES.apply} upkeep/production/api_key") echo "${SECRETS.UPKEEP_API_KEY}" ;;
  *) echo "AccessDeniedException" >&2; exit 254 ;;
esac
`;

/** The program `vault`: it exchanges the ID token for the token of a role, with which the secrets of one environment can be read. */
export const VAULT = `
[ "$VAULT_ADDR" = https://vault.example ] || exit 2
case "$*" in
  "write -field=token auth/jwt/login role=upkeep-production-plan jwt=${ID_TOKEN}") echo token-of-production-plan ;;
  "write -field=token auth/jwt/login role=upkeep-production jwt=${ID_TOKEN}") echo token-of-production ;;
  "kv get -mount=secret -field=owner upkeep/\${VAULT_TOKEN#token-of-}") echo "${SECRETS.UPKEEP_OWNER}" ;;
  "kv get -mount=secret -field=api_key upkeep/\${VAULT_TOKEN#token-of-}") echo "${SECRETS.UPKEEP_API_KEY}" ;;
  *) echo "permission denied" >&2; exit 2 ;;
esac
`;

/** What the action for Vault gives a job in this environment: only the role of the environment may read, and only its secrets. */
export function vaultSecrets({ url, method, role, secrets, exportEnv }: Environment, environment: string): Environment {
  const own = { url: 'https://vault.example', method: 'jwt', role: `upkeep-${environment}`, exportEnv: 'false' };
  if (JSON.stringify({ url, method, role, exportEnv }) !== JSON.stringify(own)) throw new Error('Vault refused the role');
  const path = `secret/data/upkeep/${environment}`;
  if (secrets?.trim() !== `${path} owner | UPKEEP_OWNER ;\n${path} api_key | UPKEEP_API_KEY`) throw new Error('permission denied');
  return SECRETS;
}

/** Returns the credentials that the comment at the top of a recipe puts into upkeep.yaml. */
export function credentialsIn(recipe: string): JsonObject {
  const [, owner, apiKey] = /^# +credentials:\n# +(owner: .*)\n# +(api_key: .*)\n/m.exec(recipe) ?? [];
  const credentials: Json = parse(`${owner}\n${apiKey}\n`);
  if (!isJsonObject(credentials)) throw new Error('the recipe says nothing of credentials');
  return credentials;
}
