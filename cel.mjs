// Lets the bundle run the code of CEL when the first guard asks for it: an esbuild plugin. Making its tables of functions takes 4 % of
// the time of `validate`, and many projects have no guards. (Node 20 cannot load a module late without waiting for it; a bundle can.)

const LATE = `
export function Environment(...settings) {
  const { Environment } = require('@marcbachmann/cel-js');
  return new Environment(...settings);
}
`;

export const lateCel = {
  name: 'late-cel',
  setup(build) {
    build.onResolve({ filter: /^@marcbachmann\/cel-js$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late-cel' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late-cel' }, () => ({ contents: LATE, loader: 'js', resolveDir: import.meta.dirname }));
  },
};
