import { INSTALL_SCRIPT, type Release, releaseVariables } from './install.ts';

/** Actions by the commits of their releases: a tag can be moved, a commit cannot. */
const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const SETUP_NODE = 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0';
const UPLOAD = 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0';
const DOWNLOAD = 'actions/download-artifact@70fc10c6e5e1ce46ad2ea6f2b72d43f7d47b13c3 # v8.0.0';

/** The first steps of a job without a checkout. */
const INSTALL = `      - uses: ${SETUP_NODE}
        with:
          node-version: 24
          package-manager-cache: false
      - name: Install upkeep
        run: |
${INSTALL_SCRIPT.map((line) => `          ${line}\n`).join('')}`;

/** The first steps of a job; only one that reads or writes the ledger keeps the token in its checkout. */
function steps(ledger: boolean): string {
  const why = ledger ? '      # The token stays in the checkout, because the ledger is read, and by an apply pushed, with it.\n' : '';
  return `    steps:
${why}      - uses: ${CHECKOUT}
        with:
          persist-credentials: ${ledger}
${INSTALL}`;
}

/** The account's credentials, for one step. */
const SECRETS = `          UPKEEP_OWNER: \${{ secrets.UPKEEP_OWNER }}
          UPKEEP_API_KEY: \${{ secrets.UPKEEP_API_KEY }}
`;

/** A plan that failed is commented on, too. */
const ALSO_AFTER_FAILURE = `        if: \${{ !cancelled() }} # a plan that failed is commented on, too
`;

function uploaded(name: string, condition = ''): string {
  return `      - uses: ${UPLOAD}
${condition}        with:
          name: ${name}
          path: plan.json
          if-no-files-found: error
          overwrite: true # where the job is run again
`;
}

function downloaded(name: string): string {
  return `      - uses: ${DOWNLOAD}
        with:
          name: ${name}
`;
}

/** The GitHub workflow of a new project with this target, which installs this release. */
export function githubRecipe(target: string, release: Release): string {
  return `${introduction(target, release)}
${onPullRequests(target)}
${onMerges(target)}
${atNight(target)}`;
}

function introduction(target: string, release: Release): string {
  return `# A plan as a comment on every pull request, an apply of the approved plan after every merge, and a look for drift every night.
#
# In the settings of the repository, make two environments, each with the secrets UPKEEP_OWNER and UPKEEP_API_KEY:
#   ${target}-plan   reads only: give it a key that may not write, where the service has such keys
#   ${target}        writes: require a reviewer, and allow the branch main only
# A blocked change is overridden by a run by hand ("Run workflow", on main) that names the safety checks: its plan waits for the same reviewer.
# A pull request from a fork gets no secrets: it is validated, and planned when somebody takes it into a branch of this repository.
name: upkeep

on:
  pull_request:
  push:
    branches: [main]
    # What the configuration is made of: nobody is asked to approve what does not touch it.
    paths: [upkeep.yaml, 'config/**', .github/workflows/upkeep.yml]
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
    inputs:
      allow:
        description: Safety checks to override in an apply of main, for example deletes=2 loosening. Empty looks for drift.
        type: string
        default: ''

permissions: {}

# The release tarball that every job installs, and its SHA-256; see docs/install.md of upkeep. They stand here and not in the settings of the
# repository, because pull requests from forks do not get the variables there.
env:
${releaseVariables(release)}
# One merge after another; of those that wait, the last one has all that is merged. A pull request is planned as it is now.
concurrency:
  group: upkeep-\${{ github.event_name }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

jobs:`;
}

function onPullRequests(target: string): string {
  return `  validate:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      contents: read
${steps(false)}      - name: Validate
        run: upkeep validate -t ${target} --format github

  plan:
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
${steps(true)}      - name: Plan
        env:
${SECRETS}        run: upkeep plan -t ${target} --out json=plan.json
${uploaded('plan', ALSO_AFTER_FAILURE)}
  # A job of its own: it may write comments, but has no secret of the account, and nothing of the pull request in its folder.
  comment:
    needs: plan
    if: \${{ !cancelled() && needs.plan.result != 'skipped' }}
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      pull-requests: write # the comment
      checks: write # the annotations
    steps:
${INSTALL}${downloaded('plan')}      - name: Comment
        env:
          GITHUB_TOKEN: \${{ github.token }}
        run: upkeep comment --plan plan.json --summary --check
`;
}

function onMerges(target: string): string {
  return `  # What is to be approved: the plan of what is merged. Its summary is what the reviewer reads, its artifact is what is applied. The
  # fingerprint stands for both: with it the reviewer also approves what the plan overrides.
  review:
    if: github.event_name == 'push' || github.event_name == 'workflow_dispatch' && inputs.allow != ''
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
    outputs:
      fingerprint: \${{ steps.plan.outputs.fingerprint }}
${steps(true)}      - name: Plan
        id: plan
        env:
          ALLOW: \${{ inputs.allow }}
${SECRETS}        # 2 = there are changes. Blocked changes (4) cannot be applied, so nobody is asked to approve it.
        run: |
          read -ra checks <<<"$ALLOW"
          upkeep plan -t ${target} "\${checks[@]/#/--allow=}" --detailed-exitcode --out json=plan.json --format markdown >>"$GITHUB_STEP_SUMMARY" ||
            { code=$?; [ "$code" -eq 2 ] || exit "$code"; }
          echo "fingerprint=$(node -p 'require("./plan.json").fingerprint')" >>"$GITHUB_OUTPUT"
${uploaded('approved-plan')}
  # Waits for the reviewer. Where the account has moved since the plan was made, nothing is written and it exits with 6: run \`review\` again.
  apply:
    needs: review
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    environment: ${target}
    permissions:
      contents: write # the ledger: refs/upkeep/* of this repository
    concurrency:
      group: upkeep-apply-${target}
${steps(true)}${downloaded('approved-plan')}      - name: Apply
        env:
          FINGERPRINT: \${{ needs.review.outputs.fingerprint }}
${SECRETS}        run: |
          upkeep apply -t ${target} --plan plan.json --expect "$FINGERPRINT" --lock-timeout 600 --format markdown >>"$GITHUB_STEP_SUMMARY"
`;
}

function atNight(target: string): string {
  return `  # Exits with 3 where somebody has edited the account by hand, and keeps an issue about it.
  drift:
    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch' && inputs.allow == ''
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
      issues: write # the issue about drift
${steps(true)}      - name: Look for drift
        env:
${SECRETS}          GITHUB_TOKEN: \${{ github.token }}
        run: upkeep drift -t ${target} --issue --format markdown >>"$GITHUB_STEP_SUMMARY"
`;
}
