import { createSourceModel } from '../../core/config/source-model.ts';
import { kinds } from '../../core/kinds/index.ts';

/** The source model of all kinds. */
export const sourceModel = createSourceModel(kinds);
