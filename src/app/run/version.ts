import packageFile from '../../../package.json' with { type: 'json' };

/** The version of upkeep. */
export const VERSION = packageFile.version;
