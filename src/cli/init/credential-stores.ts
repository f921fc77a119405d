/** How the jobs of the recipes get the credentials of the account. */

/** Where the credentials are kept: secrets of the CI system, AWS Secrets Manager, or Vault. */
export type CredentialStore = 'secrets' | 'aws' | 'vault';

const AWS = 'aws-actions/configure-aws-credentials@e6de054238d6b7531b4efff3b6587d9aade6a06c # v6.2.3';
const VAULT = 'hashicorp/vault-action@4c06c5ccf5c0761b6029f56cfb1dcf5565918a3b # v3.4.0';

/** The parts of the GitHub recipe that depend on the store. */
interface GithubCredentials {
  /** The lines of the introduction that say what to set up. */
  readonly introduction: string;
  /** A further permission of a job with credentials. */
  readonly permission: string;
  /** The steps before the one that runs upkeep. */
  readonly steps: string;
  /** The variables of the step that runs upkeep. */
  readonly env: string;
}

const ID_TOKEN = '      id-token: write # a token of this job, which is exchanged for the credentials\n';

/** Returns the parts of the GitHub recipe for a job in this environment of this target. */
export function githubCredentials(store: CredentialStore, environment: string, target: string): GithubCredentials {
  switch (store) {
    case 'secrets':
      return {
        introduction: `# In the settings of the repository, make two environments, each with the secrets UPKEEP_OWNER and UPKEEP_API_KEY:
#   ${target}-plan   reads only: give it a key that may not write, where the service has such keys
#   ${target}        writes: require a reviewer, and allow the branch main only
`,
        permission: '',
        steps: '',
        env: `          UPKEEP_OWNER: \${{ secrets.UPKEEP_OWNER }}
          UPKEEP_API_KEY: \${{ secrets.UPKEEP_API_KEY }}
`,
      };
    case 'aws':
      return {
        introduction: `# No secret is kept here: each job exchanges its OpenID Connect token for a role of AWS, which may read one pair of secrets.
#
# In the settings of the repository, make two environments, each with the variables UPKEEP_AWS_ROLE and UPKEEP_AWS_REGION:
#   ${target}-plan   a role that may read the secrets upkeep/${target}-plan/owner and upkeep/${target}-plan/api_key only
#   ${target}        another, for upkeep/${target}/owner and upkeep/${target}/api_key: require a reviewer, and allow the branch main only
# Each role trusts the provider token.actions.githubusercontent.com for the audience sts.amazonaws.com and one subject,
# repo:OWNER/REPOSITORY:environment:ENVIRONMENT. In upkeep.yaml
#   credentials:
#     owner: { command: [sh, -c, 'aws secretsmanager get-secret-value --secret-id "$UPKEEP_SECRET/owner" --query SecretString --output text'] }
#     api_key: { command: [sh, -c, 'aws secretsmanager get-secret-value --secret-id "$UPKEEP_SECRET/api_key" --query SecretString --output text'] }
`,
        permission: ID_TOKEN,
        steps: `      - uses: ${AWS}
        with:
          role-to-assume: \${{ vars.UPKEEP_AWS_ROLE }}
          aws-region: \${{ vars.UPKEEP_AWS_REGION }}
`,
        env: `          UPKEEP_SECRET: upkeep/${environment}
`,
      };
    case 'vault':
      return {
        introduction: `# No secret is kept here: each job exchanges its OpenID Connect token for a role of Vault, which may read one pair of secrets.
#
# Set the variable UPKEEP_VAULT_URL of the repository, and make two environments:
#   ${target}-plan   its role in Vault, upkeep-${target}-plan, may read secret/upkeep/${target}-plan only
#   ${target}        its role, upkeep-${target}, may read secret/upkeep/${target}: require a reviewer, and allow the branch main only
# Both secrets have the keys owner and api_key. Each role of the JWT method trusts the issuer https://token.actions.githubusercontent.com
# for the audience https://github.com/OWNER and one subject, repo:OWNER/REPOSITORY:environment:ENVIRONMENT.
`,
        permission: ID_TOKEN,
        steps: `      - id: vault
        uses: ${VAULT}
        with:
          url: \${{ vars.UPKEEP_VAULT_URL }}
          method: jwt
          role: upkeep-${environment}
          exportEnv: false
          secrets: |
            secret/data/upkeep/${environment} owner | UPKEEP_OWNER ;
            secret/data/upkeep/${environment} api_key | UPKEEP_API_KEY
`,
        env: `          UPKEEP_OWNER: \${{ steps.vault.outputs.UPKEEP_OWNER }}
          UPKEEP_API_KEY: \${{ steps.vault.outputs.UPKEEP_API_KEY }}
`,
      };
  }
}

/** The parts of the GitLab recipe that depend on the store. */
interface GitlabCredentials {
  /** The lines of the introduction that say what to set up. */
  readonly introduction: string;
  readonly image: string;
  /** Further keys of a job with credentials. */
  readonly keys: string;
  /** The lines of its script before the one that runs upkeep. */
  readonly script: string;
}

/** Returns the parts of the GitLab recipe for a job in this environment of this target. */
export function gitlabCredentials(store: CredentialStore, environment: string, target: string): GitlabCredentials {
  switch (store) {
    case 'secrets':
      return {
        introduction: `#   Variables: UPKEEP_OWNER and UPKEEP_API_KEY, masked: for the environment ${target}-plan, where you have a key that may only read, and,
#     protected, for the environment ${target}.
`,
        image: 'node:24',
        keys: '',
        script: '',
      };
    case 'aws':
      return {
        introduction: `#   Variables: AWS_ROLE_ARN and AWS_REGION, for each of the environments ${target}-plan and ${target}, protected for the second. No
#     secret is kept here: each job exchanges its ID token for that role. The first may read the secrets upkeep/${target}-plan/owner and
#     upkeep/${target}-plan/api_key only, the second upkeep/${target}/owner and upkeep/${target}/api_key. Each trusts this GitLab for
#     the audience sts.amazonaws.com, and the second one subject, project_path:GROUP/PROJECT:ref_type:branch:ref:main. In upkeep.yaml
#       credentials:
#         owner: { command: [sh, -c, 'aws secretsmanager get-secret-value --secret-id "$UPKEEP_SECRET/owner" --query SecretString --output text'] }
#         api_key: { command: [sh, -c, 'aws secretsmanager get-secret-value --secret-id "$UPKEEP_SECRET/api_key" --query SecretString --output text'] }
`,
        image: 'registry.example.com/ci/node-git-curl-aws:24 # name an image of yours here that has these programs, best by its digest',
        keys: idToken('sts.amazonaws.com', environment),
        script: `    - AWS_WEB_IDENTITY_TOKEN_FILE=$(mktemp)
    - export AWS_WEB_IDENTITY_TOKEN_FILE
    - printf '%s' "$UPKEEP_ID_TOKEN" >"$AWS_WEB_IDENTITY_TOKEN_FILE"
`,
      };
    case 'vault':
      return {
        introduction: `#   Variables: VAULT_ADDR, the address of Vault. No secret is kept here: each job exchanges its ID token for a role of Vault. That of the
#     environment ${target}-plan, upkeep-${target}-plan, may read secret/upkeep/${target}-plan only, that of ${target}, upkeep-${target},
#     secret/upkeep/${target}. Each trusts this GitLab for the audience VAULT_ADDR and the project, the second for the branch main only
#     (bound_claims: project_id, ref, ref_protected). In upkeep.yaml
#       credentials:
#         owner: { command: [sh, -c, 'vault kv get -mount=secret -field=owner "$UPKEEP_SECRET"'] }
#         api_key: { command: [sh, -c, 'vault kv get -mount=secret -field=api_key "$UPKEEP_SECRET"'] }
`,
        image: 'registry.example.com/ci/node-git-curl-vault:24 # name an image of yours here that has these programs, best by its digest',
        keys: idToken('$VAULT_ADDR', environment),
        script: `    - VAULT_TOKEN=$(vault write -field=token auth/jwt/login role=upkeep-${environment} "jwt=$UPKEEP_ID_TOKEN")
    - export VAULT_TOKEN
`,
      };
  }
}

function idToken(audience: string, environment: string): string {
  return `  id_tokens:
    UPKEEP_ID_TOKEN:
      aud: ${audience}
  variables:
    UPKEEP_SECRET: upkeep/${environment}
`;
}
