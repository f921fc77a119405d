import { createSourceModel } from '../../src/core/config/source-model.ts';
import { kinds } from '../../src/core/kinds/index.ts';

/** The source model of all kinds. */
export const sourceModel = createSourceModel(kinds);
