/** The YAML language server that editors run, spoken to over stdio as an editor does; it is told of no schema, and to ask no network. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js';

/** A place in a text, from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What an editor underlines. */
export interface Diagnostic {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly message: string;
}

/** One line of a list of completions. */
export interface Completion {
  readonly label: string;
  readonly documentation?: string | { readonly value: string };
}

/** An editor with the server behind it. */
export interface Editor {
  /** Opens a file with this text, and gives what is underlined in it. */
  open(file: string, text: string): Promise<readonly Diagnostic[]>;
  complete(file: string, position: Position): Promise<readonly Completion[]>;
  /** What hovering shows, as Markdown; empty where there is nothing. */
  hover(file: string, position: Position): Promise<string>;
  close(): Promise<void>;
}

const SETTINGS = {
  yaml: {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false },
    kubernetesCRDStore: { enable: false },
    schemas: {},
  },
};

/** Starts the server. */
export async function startEditor(): Promise<Editor> {
  const require = createRequire(import.meta.url);
  const server = require.resolve('yaml-language-server/bin/yaml-language-server');
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const waiting = new Map<string, (found: readonly Diagnostic[]) => void>();
  connection.onRequest('workspace/configuration', ({ items }: { readonly items: readonly { readonly section: string }[] }) =>
    items.map(({ section }) => (section === 'yaml' ? SETTINGS.yaml : {})),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: Published) => waiting.get(uri)?.(diagnostics));
  connection.listen();
  const markup = ['markdown'];
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
      textDocument: { hover: { contentFormat: markup }, completion: { completionItem: { documentationFormat: markup } } },
    },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings: SETTINGS });
  let version = 0;
  const uriOf = (file: string) => pathToFileURL(file).href;
  return {
    async open(file, text) {
      const uri = uriOf(file);
      const published = new Promise<readonly Diagnostic[]>((resolve) => waiting.set(uri, resolve));
      version += 1;
      await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version, text } });
      return published;
    },
    async complete(file, position) {
      const list = await connection.sendRequest<{ readonly items: readonly Completion[] }>(
        'textDocument/completion',
        at(uriOf(file), position),
      );
      return list.items;
    },
    async hover(file, position) {
      const hover = await connection.sendRequest<{ readonly contents: { readonly value: string } } | null>(
        'textDocument/hover',
        at(uriOf(file), position),
      );
      return hover?.contents.value ?? '';
    },
    async close() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      connection.dispose();
      await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
    },
  };
}

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly Diagnostic[];
}

function at(uri: string, position: Position) {
  return { textDocument: { uri }, position };
}
