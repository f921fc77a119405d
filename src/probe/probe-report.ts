/**
 * What a probe found out about one assumption:
 * - `assumed`: what upkeep assumes
 * - `also works`: something else, which upkeep handles without a setting
 * - `setting`: something else, for which a setting has to be written into upkeep.yaml
 * - `contradicted`: something else, for which there is no setting
 * - `measured`: a figure, of which nothing is assumed
 * - `not found out`: nothing
 */
export type ProbeState = 'assumed' | 'also works' | 'setting' | 'contradicted' | 'measured' | 'not found out';

/** The steps of a probe. */
export const PROBE_STEPS = ['read', 'write'] as const;

/** A step of a probe: reads, or writes of scratch objects. */
export type ProbeStep = (typeof PROBE_STEPS)[number];

/** What is written on the command line to take a step. */
export const STEP_FLAGS: { readonly [step in ProbeStep]: string } = {
  read: 'upkeep probe',
  write: '--write',
};

/** The answer to one question of a probe. It contains nothing of the account. */
export interface ProbeAnswer {
  /** ID of the assumption. */
  readonly id: string;
  readonly step: ProbeStep;
  readonly question: string;
  readonly assumed: string;
  readonly state: ProbeState;
  /** The answer, one of the words that the assumption knows, or a figure; null if it was not found out. */
  readonly found: string | null;
  /** A figure or a name beside the answer, or the reason why it was not found out. */
  readonly detail?: string;
  /** What upkeep must not be used for there; only of a contradicted assumption. */
  readonly notFor?: string;
}

/** A setting for upkeep.yaml, by its path below the target. */
export interface ProbeSetting {
  readonly path: string;
  /** As YAML. */
  readonly value: string;
}

/** The document of `probe` for one target: probe.json. */
export interface ProbeReport {
  readonly schemaVersion: 1;
  readonly target: string;
  /** When the probe began, ISO 8601. */
  readonly at: string;
  /** Version of upkeep. */
  readonly upkeep: string;
  readonly steps: readonly ProbeStep[];
  /** Number of requests that were sent. */
  readonly requests: number;
  readonly answers: readonly ProbeAnswer[];
  readonly settings: readonly ProbeSetting[];
  /** Names of the scratch objects that could not be removed; the next probe that writes tries again. */
  readonly leftBehind: readonly string[];
}

/** Returns settings as YAML for a target in upkeep.yaml; empty if there are none. */
export function settingsYaml(settings: readonly ProbeSetting[]): string {
  const sections = [...new Set(settings.map(({ path }) => path.split('.')[0] ?? ''))];
  const lines = sections.flatMap((section) => [
    `${section}:`,
    ...settings.flatMap(({ path, value }) => (path.startsWith(`${section}.`) ? [`  ${path.slice(section.length + 1)}: ${value}`] : [])),
  ]);
  return lines.join('\n');
}
