import { fetchScript, removeReports } from './checkout.ts';
import { type CredentialStore, githubCredentials } from './credential-stores.ts';
import { installScript, type Release, releaseVariables } from './install.ts';

/** Actions by the commits of their releases: a tag can be moved, a commit cannot. */
const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const SETUP_NODE = 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0';
const CACHE = 'actions/cache@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5';
const UPLOAD = 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0';
const DOWNLOAD = 'actions/download-artifact@70fc10c6e5e1ce46ad2ea6f2b72d43f7d47b13c3 # v8.0.0';
const UPLOAD_SARIF = 'github/codeql-action/upload-sarif@8aad20d150bbac5944a9f9d289da16a4b0d87c1e # v4.36.2';

const CACHED = `      - uses: ${CACHE}
        with:
          path: \${{ runner.temp }}/upkeep
          key: upkeep-\${{ env.UPKEEP_SHA256 }}
`;

/** The first steps of a job without a checkout. */
function install(cached = CACHED): string {
  return `      - uses: ${SETUP_NODE}
        with:
          node-version: 24
          package-manager-cache: false
${cached}      - name: Install upkeep
        run: |
${installScript('$RUNNER_TEMP/upkeep')
  .map((line) => `          ${line}\n`)
  .join('')}`;
}

/** Checks the repository out; only a job that reads or writes the ledger keeps the token in its checkout. */
function checkout(ledger: boolean): string {
  const why = ledger ? '      # The token stays in the checkout, because the ledger is read, and by an apply pushed, with it.\n' : '';
  return `    steps:
${why}      - uses: ${CHECKOUT}
        with:
          persist-credentials: ${ledger}
`;
}

/** Uploads what a plan has written, also where it failed. The step `report` has the address of the page. */
const UPLOADED = `      - uses: ${UPLOAD}
        if: \${{ !cancelled() }} # a plan that failed is commented on, too
        with:
          name: plan
          path: |
            plan.json
            plan.sarif
          overwrite: true # where the job is run again
      - id: report
        uses: ${UPLOAD}
        if: \${{ !cancelled() }}
        with:
          path: plan.html
          archive: false # a page that the browser shows
          overwrite: true
`;

/** The first step of a job that uploads what a plan has written, also where it failed. */
const REMOVED = `      # The reports are those of this run, whatever files the checkout has.
      - name: Remove earlier reports
        run: ${removeReports('plan.json', 'plan.html', 'plan.sarif')}
`;

/** The reports that a plan writes. */
const REPORTS = '--out json=plan.json --out html=plan.html --out sarif=plan.sarif';

/** Downloads what a plan has written. */
const DOWNLOADED = `      - uses: ${DOWNLOAD}
        with:
          name: plan
`;

/** The GitHub workflow of a new project with this target, which installs this release and takes the credentials from this store. */
export function githubRecipe(target: string, release: Release, store: CredentialStore): string {
  return `${introduction(target, release, store)}
${onPullRequests(target, store)}
${onMerges(target, store)}
${CODE_SCANNING}
${atNight(target, store)}`;
}

function introduction(target: string, release: Release, store: CredentialStore): string {
  return `# A plan as a comment on every pull request, an apply of the approved plan after every merge, and a look for drift every night.
#
${githubCredentials(store, `${target}-plan`, target).introduction}# A blocked change is overridden by a run by hand ("Run workflow", on main) that names the safety checks: its plan waits for the same reviewer.
# A pull request from a fork gets no secrets: it is validated, and planned when somebody takes it into a branch of this repository.
# Require the checks \`validate\` and \`plan\`: they also run in a merge queue.
# Where the repository has code scanning, set its variable UPKEEP_CODE_SCANNING to true: findings and blocked changes become alerts.
name: upkeep

on:
  pull_request:
  merge_group:
  push:
    branches: [main]
    # What the configuration is made of: nobody is asked to approve what does not touch it.
    paths: [upkeep.yaml, 'config/**', .github/workflows/upkeep.yml]
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
    inputs:
      allow:
        description: Safety checks to override in an apply of main, for example deletes=2 weakening. Empty looks for drift.
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

function onPullRequests(target: string, store: CredentialStore): string {
  const { permission, steps, env } = githubCredentials(store, `${target}-plan`, target);
  return `  # Validates upkeep.yaml as it will be merged. It needs no secret, so that it runs for forks too.
  validate:
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      contents: read
${checkout(false)}${install()}      - name: Validate
        run: upkeep validate -t ${target} --format github

  plan:
    if: >-
      github.event_name == 'merge_group' ||
      github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
${permission}    outputs:
      report: \${{ steps.report.outputs.artifact-url }}
${checkout(true)}${REMOVED}      - name: Fetch main
        # At the top: in a folder below, git could take files of the pull request for a repository, and run the programs that they name.
        run: |
${fetchScript('+refs/heads/main:refs/remotes/origin/main')
  .map((line) => `          ${line}\n`)
  .join(
    '',
  )}${install()}${steps}      # All of upkeep.yaml but \`sources\` and \`vars\` is that of main, so that a branch can neither send the key elsewhere nor choose the ledger.
      - name: Plan
        env:
${env}        run: upkeep plan -t ${target} --trust-from refs/remotes/origin/main ${REPORTS}
${UPLOADED}
  # A job of its own: it may write comments, but has no secret of the account, and nothing of the pull request in its folder.
  comment:
    needs: plan
    if: \${{ !cancelled() && github.event_name == 'pull_request' && needs.plan.result != 'skipped' }}
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      pull-requests: write # the comment
      checks: write # the annotations
    steps:
${install()}${DOWNLOADED}        continue-on-error: true # a job that ended before it planned has no plan: the comment says so
      - name: Comment
        env:
          GITHUB_TOKEN: \${{ github.token }}
          REPORT: \${{ needs.plan.outputs.report }}
        run: upkeep comment --plan plan.json --summary --check \${REPORT:+--report-url "$REPORT"}
`;
}

function onMerges(target: string, store: CredentialStore): string {
  const [plan, apply] = [githubCredentials(store, `${target}-plan`, target), githubCredentials(store, target, target)];
  return `  # What is to be approved: the plan of what is merged. Its summary is what the reviewer reads, its artifact is what is applied. The
  # fingerprint stands for both: with it the reviewer also approves what the plan overrides.
  review:
    if: github.event_name == 'push' || github.event_name == 'workflow_dispatch' && inputs.allow != ''
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
${plan.permission}    outputs:
      fingerprint: \${{ steps.plan.outputs.fingerprint }}
${checkout(true)}${REMOVED}${install()}${plan.steps}      - name: Plan
        id: plan
        env:
          ALLOW: \${{ inputs.allow }}
${plan.env}        # 2 = there are changes. Blocked changes (4) cannot be applied, so nobody is asked to approve it.
        run: |
          read -ra checks <<<"$ALLOW"
          upkeep plan -t ${target} "\${checks[@]/#/--allow=}" --detailed-exitcode --format markdown \\
            ${REPORTS} >>"$GITHUB_STEP_SUMMARY" ||
            { code=$?; [ "$code" -eq 2 ] || exit "$code"; }
          echo "fingerprint=$(node -p 'require("./plan.json").fingerprint')" >>"$GITHUB_OUTPUT"
${UPLOADED}
  # Waits for the reviewer. Where the account has moved since the plan was made, nothing is written and it exits with 6: run \`review\` again.
  # The only job that can write: it takes nothing from a cache.
  apply:
    needs: review
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    environment: ${target}
    permissions:
      contents: write # the ledger: refs/upkeep/* of this repository
${apply.permission}    concurrency:
      group: upkeep-apply-${target}
${checkout(true)}${install('')}${DOWNLOADED}${apply.steps}      - name: Apply
        env:
          FINGERPRINT: \${{ needs.review.outputs.fingerprint }}
${apply.env}        run: |
          upkeep apply -t ${target} --plan plan.json --expect "$FINGERPRINT" --lock-timeout 600 --format markdown >>"$GITHUB_STEP_SUMMARY"
`;
}

const CODE_SCANNING = `  code-scanning:
    needs: [plan, review]
    if: >-
      \${{ !cancelled() && vars.UPKEEP_CODE_SCANNING == 'true' &&
      (needs.plan.result != 'skipped' || needs.review.result != 'skipped') }}
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      contents: read
      actions: read
      security-events: write # the alerts
${checkout(false)}${DOWNLOADED}      - uses: ${UPLOAD_SARIF}
        with:
          sarif_file: plan.sarif
          category: upkeep
`;

function atNight(target: string, store: CredentialStore): string {
  const { permission, steps, env } = githubCredentials(store, `${target}-plan`, target);
  return `  # Exits with 3 where somebody has edited the account by hand, and keeps an issue about it.
  drift:
    if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch' && inputs.allow == ''
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    environment: ${target}-plan
    permissions:
      contents: read
      issues: write # the issue about drift
${permission}${checkout(true)}${install()}${steps}      - name: Look for drift
        env:
${env}          GITHUB_TOKEN: \${{ github.token }}
        run: upkeep drift -t ${target} --issue --format markdown >>"$GITHUB_STEP_SUMMARY"
`;
}
