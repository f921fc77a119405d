/** How a new project runs in CI: a plan for every pull request, an apply after every merge, and a look for drift every night. */
import type { CI_SYSTEMS } from '../options.ts';
import { VERSION } from '../version.ts';

/** A file to write; `name` is relative to the project's folder, with `/`. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** The recipe for the CI system of a new project. */
export function recipes(ci: (typeof CI_SYSTEMS)[number], target: string): readonly NewFile[] {
  if (ci === 'github') return [{ name: '.github/workflows/upkeep.yml', text: github(target) }];
  return ci === 'gitlab' ? [{ name: '.gitlab-ci.yml', text: gitlab(target) }] : [];
}

const INSTALL = `npm install --global upkeep@${VERSION}`;

function github(target: string): string {
  const steps = `      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - run: ${INSTALL}`;
  const secrets = `    env:
      UPKEEP_OWNER: \${{ secrets.UPKEEP_OWNER }}
      UPKEEP_API_KEY: \${{ secrets.UPKEEP_API_KEY }}`;
  return `# Put UPKEEP_OWNER and UPKEEP_API_KEY into the secrets of the environment "${target}", and let it ask for approval if you like.
name: upkeep
on:
  pull_request:
  push: { branches: [main] }
  schedule: [{ cron: '17 3 * * *' }]
permissions: { contents: read }

jobs:
  validate: # Needs no secret, so that it runs for forks too.
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
${steps}
      - run: upkeep validate

  plan:
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    environment: ${target}
${secrets}
    steps:
${steps}
      - run: upkeep plan -t ${target} --out markdown=plan.md
      - run: cat plan.md >> "$GITHUB_STEP_SUMMARY"

  apply: # While upkeep.yaml says \`ownership: observe\`, changes are held and this exits with 4.
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    environment: ${target}
    permissions: { contents: write } # for the ledger, refs/upkeep/*
    concurrency: upkeep-${target}
${secrets}
    steps:
${steps}
      - run: upkeep apply -t ${target} --yes --lock-timeout 600

  drift: # Exits with 3 where somebody has edited the account by hand.
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    environment: ${target}
${secrets}
    steps:
${steps}
      - run: upkeep drift -t ${target}
`;
}

function gitlab(target: string): string {
  return `# Put UPKEEP_OWNER and UPKEEP_API_KEY into the CI/CD variables, masked. For the ledger, give git a token that may push refs/upkeep/*.
default:
  image: node:20
  before_script:
    - ${INSTALL}

validate:
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  script:
    - upkeep validate

plan:
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  script:
    - upkeep plan -t ${target} --out markdown=plan.md
  artifacts: { paths: [plan.md] }

apply: # While upkeep.yaml says \`ownership: observe\`, changes are held and this exits with 4.
  rules: [{ if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  environment: ${target}
  resource_group: upkeep-${target}
  script:
    - upkeep apply -t ${target} --yes --lock-timeout 600

drift: # For a pipeline schedule. Exits with 3 where somebody has edited the account by hand.
  rules: [{ if: $CI_PIPELINE_SOURCE == "schedule" }]
  script:
    - upkeep drift -t ${target}
`;
}
