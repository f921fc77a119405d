/** Reads the text format 0.0.4 of Prometheus strictly by its published description ("Text format details"). */

/** One sample of a gauge. */
export interface Sample {
  readonly metric: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\n]|\\\\|\\n)+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) gauge$/;
const LABEL = /(?<name>[a-zA-Z_][a-zA-Z0-9_]*)="(?<text>(?:[^"\\\n]|\\\\|\\"|\\n)*)"/;
const LINE = new RegExp(
  `^(?<metric>[a-zA-Z_:][a-zA-Z0-9_:]*)\\{(?<labels>(?:${unnamed(LABEL)}(?:,(?!\\}))?)*)\\} (?<value>-?\\d+(?:\\.\\d+)?)$`,
);

/** Reads an exposition. @throws Error that names an invalid line, a repeated family or a repeated series */
export function readExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, { hasType: boolean }>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  let current = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, helpMetric] = HELP.exec(line) ?? [];
    const [, typeMetric] = TYPE.exec(line) ?? [];
    if (helpMetric !== undefined) {
      if (families.has(helpMetric)) throw new Error(`a second family ${helpMetric}`);
      families.set(helpMetric, { hasType: false });
      current = helpMetric;
    } else if (typeMetric !== undefined) {
      const family = families.get(typeMetric);
      if (typeMetric !== current || !family || family.hasType) throw new Error(`a type out of place: ${line}`);
      family.hasType = true;
    } else {
      const sample = readSample(line);
      if (sample.metric !== current || !families.get(current)?.hasType) throw new Error(`a sample out of place: ${line}`);
      const key = `${sample.metric} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(key)) throw new Error(`a repeated series: ${line}`);
      series.add(key);
      samples.push(sample);
    }
  }
  return samples;
}

function readSample(line: string): Sample {
  const { metric, labels, value } = LINE.exec(line)?.groups ?? {};
  if (metric === undefined || labels === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(new RegExp(LABEL, 'g'))].map(
    ({ groups = {} }) => [groups.name ?? '', unescaped(groups.text ?? '')] as const,
  );
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`a label that stands twice: ${line}`);
  return { metric, labels: Object.fromEntries(pairs), value: Number(value) };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_whole, character: string) => (character === 'n' ? '\n' : character));
}

function unnamed(pattern: RegExp): string {
  return pattern.source.replace(/\(\?<\w+>/g, '(?:');
}
