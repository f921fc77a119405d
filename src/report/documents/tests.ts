/** The document of `upkeep test`. */
export interface TestReport {
  readonly schemaVersion: 1;
  /** Number of cases. */
  readonly passed: number;
  readonly failed: number;
  /** In the order of their files. */
  readonly cases: readonly TestResult[];
}

/** The result of one case. */
export interface TestResult {
  /** Relative to the folder of upkeep.yaml. */
  readonly file: string;
  /** Where the case begins. */
  readonly line: number;
  readonly name: string;
  /** The target whose settings count. */
  readonly target: string;
  readonly result: 'passed' | 'failed';
  readonly tookMs: number;
  /** Of a case that failed: each expectation that does not hold; absent where there are none. */
  readonly reasons?: readonly string[];
  /** Of a case that failed: expectations that say nothing, and errors of configurations that could not be planned; absent for none. */
  readonly errors?: readonly string[];
  /** What was expected and what the plan says, as a unified diff; absent without `reasons`. */
  readonly diff?: string;
}
