import type { Renderer } from '../document.ts';
import { finish, visibleJson } from '../escape.ts';

/** Targets as the matrix of a GitHub workflow, in one line: `{"target":["a","b"]}`. Where no list of targets came, there is no matrix. */
export const renderGithubMatrix: Renderer = (documents) =>
  finish(
    documents.flatMap((document) =>
      document.type === 'targets' ? [visibleJson({ target: document.targets.map(({ name }) => name) })] : [],
    ),
  );
