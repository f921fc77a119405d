/** The YAML documents of the source files and of upkeep.yaml. */
import { isJsonObject, type JsonObject } from '../model/json.ts';
import type { FileReader } from './file-reader.ts';
import { parseYaml, type YamlFile } from './yaml/parse.ts';

/** One document of a source: a map of sections. */
export interface SourceDocument {
  readonly file: string;
  readonly yaml: YamlFile;
  /** Index of the document in the file, from 0. */
  readonly index: number;
  /** The content as written: variables are not replaced. Never modify it, because aliases share values. */
  readonly content: JsonObject;
}

/**
 * Returns upkeep.yaml as a document, without validating it; empty if it cannot be read. Reading the file makes it part of the digest of
 * `reader`.
 */
export function readProjectDocument(reader: FileReader, file: string): SourceDocument {
  const result = reader.read(file);
  const yaml = parseYaml('bytes' in result ? result.bytes : new Uint8Array());
  const [content] = yaml.documents;
  return { file, yaml, index: 0, content: isJsonObject(content) ? content : {} };
}
