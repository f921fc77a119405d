import http from 'node:http';
import https from 'node:https';
import { Dispatcher } from 'undici';

/** An undici dispatcher that sends by node:http, which is what nock can see. */
class HttpDispatcher extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const url = new URL(String(options.origin));
    const request = (url.protocol === 'https:' ? https : http).request({
      host: url.hostname,
      port: url.port,
      method: options.method,
      path: options.path,
      headers: headersOf(options.headers),
    });
    const control = controller((reason) => request.destroy(reason));
    handler.onRequestStart?.(control, {});
    request.on('error', (error) => handler.onResponseError?.(control, error));
    request.on('response', (response) => {
      handler.onResponseStart?.(control, response.statusCode ?? 0, response.headers, response.statusMessage);
      response.on('data', (chunk: Buffer) => handler.onResponseData?.(control, chunk));
      response.on('end', () => handler.onResponseEnd?.(control, {}));
      response.on('error', (error) => handler.onResponseError?.(control, error));
    });
    request.end(typeof options.body === 'string' ? options.body : undefined);
    return true;
  }
}

/** The service client always hands over headers as a plain object of texts. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

function controller(destroy: (reason: Error) => void): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    abort: destroy,
    pause() {},
    resume() {},
  };
}

/** Composing with nothing makes undici translate between its own handlers and the one above. */
export function httpDispatcher(): Dispatcher {
  return new HttpDispatcher().compose((dispatch) => dispatch);
}
