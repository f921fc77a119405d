import { fetchScript, removeReports } from './checkout.ts';
import { type CredentialStore, gitlabCredentials } from './credential-stores.ts';
import { installScript, type Release, releaseAssignments } from './install.ts';

const DEFAULT_BRANCH = '"+refs/heads/$CI_DEFAULT_BRANCH:refs/remotes/origin/$CI_DEFAULT_BRANCH"';

/** The first lines of a job that publishes these files even where it fails. */
function beforeScript(...reports: readonly string[]): string {
  return `  before_script:
    - ${removeReports(...reports)} # the reports are those of this run, whatever files the checkout has
    - *install
`;
}

/** Indents the lines of a script. */
function indented(lines: readonly string[], by: number): string {
  return lines.map((line) => `${' '.repeat(by)}${line}\n`).join('');
}

/** The GitLab pipeline of a new project with this target, which installs this release and takes the credentials from this store. */
export function gitlabRecipe(target: string, release: Release, store: CredentialStore): string {
  const [plan, apply] = [gitlabCredentials(store, `${target}-plan`, target), gitlabCredentials(store, target, target)];
  return `# A plan as a comment on every merge request, an apply of the reviewed plan after every merge, and a look for drift on a schedule.
#
# In the settings of the project, under CI/CD:
${plan.introduction}#     GITLAB_TOKEN, masked: a project access token with the scope api, for comments and issues.
#   Job token permissions: allow Git push requests to the repository, because the ledger is pushed (refs/upkeep/*).
#   Schedules: a pipeline on the default branch every night. Protect the environment ${target}, so that only some may start the apply.
#   Pipeline variables: allow them to those only who may start the apply. They name the safety checks that a pipeline overrides ("New
#     pipeline" on the default branch): its plan shows them, and waits for the same people. But they also set any other variable of a job,
#     for example NODE_OPTIONS, and so run a program beside its credentials.
#
# The release tarball that every job installs, and its SHA-256; see docs/install.md of upkeep. They are lines of the script, because
# pipeline variables override \`variables\`.
.install: &install |
${indented([...releaseAssignments(release), ...installScript('$CI_PROJECT_DIR/.upkeep-release')], 2)}
variables:
  UPKEEP_ALLOW:
    value: ''
    description: Safety checks to override, for example deletes=2 weakening

workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "web" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $UPKEEP_ALLOW != ""
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" || $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
      changes: [upkeep.yaml, config/**/*, .gitlab-ci.yml]

stages: [plan, comment, apply, drift]

default:
  image: ${plan.image}
  interruptible: false
  timeout: 1 hour
  cache:
    key: upkeep-release
    paths: [.upkeep-release/]
  before_script:
    - *install

# Validates upkeep.yaml as it will be merged. It needs no secret, so that it runs for forks too.
validate:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
${beforeScript('gl-code-quality-report.json', 'validation.xml')}  script:
    - upkeep validate -t ${target} --out gitlab=gl-code-quality-report.json --out junit=validation.xml
  artifacts: &reports
    when: always
    expire_in: 30 days
    reports:
      codequality: gl-code-quality-report.json
      junit: [validation.xml]

plan:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
  environment:
    name: ${target}-plan
    action: access
${plan.keys}${beforeScript('plan.json', 'plan.html', 'plan.sarif', 'plan.xml', 'report.env')}  script:
    # At the top: in a folder below, git could take files of the merge request for a repository, and run the programs that they name.
    - |
${indented(fetchScript(DEFAULT_BRANCH), 6).trimEnd()}
    - echo "REPORT=$CI_JOB_URL/artifacts/file/plan.html" >report.env
${plan.script}    # All of upkeep.yaml but \`sources\` and \`vars\` is that of the default branch, so that a branch can neither send the key elsewhere nor
    # choose the ledger.
    - >-
      upkeep plan -t ${target} --trust-from "refs/remotes/origin/$CI_DEFAULT_BRANCH"
      --out json=plan.json --out html=plan.html --out sarif=plan.sarif --out junit=plan.xml
  artifacts:
    <<: *reports
    paths: [plan.json, plan.html, plan.sarif]
    reports:
      junit: [plan.xml]
      dotenv: report.env

# A job of its own, which has no credential of the account.
comment:
  stage: comment
  needs: [plan]
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
      when: always # a plan that failed is commented on, too
  variables:
    GIT_STRATEGY: none
  script:
    - upkeep comment --plan plan.json \${REPORT:+--report-url "$REPORT"}

# What is to be approved: the plan of what is merged. It stands in the log of this job, and its artifact is what is applied. The fingerprint
# stands for both: whoever starts the apply also approves what the plan overrides.
review:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" || $CI_PIPELINE_SOURCE == "web"
  environment:
    name: ${target}-plan
    action: access
${plan.keys}  script:
${plan.script}    # 2 = there are changes. Blocked changes (4) cannot be applied, so nobody is asked to start it.
    - |
      set --
      for check in $UPKEEP_ALLOW; do set -- "$@" --allow "$check"; done
      upkeep plan -t ${target} "$@" --detailed-exitcode --out json=plan.json || { code=$?; [ "$code" -eq 2 ] || exit "$code"; }
      echo "PLAN_FINGERPRINT=$(node -p 'require("./plan.json").fingerprint')" >plan.env
  artifacts:
    expire_in: 30 days
    paths: [plan.json]
    reports:
      dotenv: plan.env

# Somebody reads the plan and starts this. Where the account has moved since, nothing is written and it exits with 6: run \`review\` again.
apply:
  stage: apply
  needs: [review]
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" || $CI_PIPELINE_SOURCE == "web"
      when: manual
  environment: ${target}
  resource_group: upkeep-${target}
  cache: [] # the only job that can write takes nothing from a cache
${apply.keys}${beforeScript('outcome.json', 'outcome.xml')}  script:
${apply.script}    - upkeep apply -t ${target} --plan plan.json --expect "$PLAN_FINGERPRINT" --lock-timeout 600 --out json=outcome.json --out junit=outcome.xml
  artifacts:
    <<: *reports
    paths: [outcome.json]
    reports:
      junit: [outcome.xml]

# Exits with 3 where somebody has edited the account by hand, and keeps an issue about it.
drift:
  stage: drift
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  environment:
    name: ${target}-plan
    action: access
${plan.keys}${beforeScript('drift.xml')}  script:
${plan.script}    - upkeep drift -t ${target} --issue --out junit=drift.xml
  artifacts:
    <<: *reports
    reports:
      junit: [drift.xml]
`;
}
