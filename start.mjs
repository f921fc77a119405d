// Lets the bundle start with few files, little text and little of Node: an esbuild plugin. Finding and linking a file takes as long as
// running 20 KB of it, and `--help` would have ten more of them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** What has run before a command is chosen. */
const START = './src/cli/main.ts';

/** commander asks for it in order to run commands that are programs of their own; upkeep has none, and loading it takes 2 % of `--help`. */
const LATE = `exports.spawn = (...words) => require('node:child_process').spawn(...words);`;

export const quickStart = {
  name: 'quick-start',
  setup(build) {
    // esbuild makes a chunk for each set of files that are asked for by name and share it. Each of ours names the start, so that it is one.
    build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `import '${START}'; export * from ${JSON.stringify(path)};`,
      resolveDir: import.meta.dirname,
    }));
    build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/commander/') ? { path, namespace: 'late-spawn' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late-spawn' }, () => ({ contents: LATE, loader: 'js' }));
    // A third of commander's text is comments in its classes, which esbuild leaves there.
    build.onLoad({ filter: /\/commander\/lib\/.*\.js$/ }, async ({ path }) => ({
      contents: (await transform(await readFile(path, 'utf8'), { minifyWhitespace: true })).code,
    }));
  },
};
