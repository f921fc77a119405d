/** What is told of each attempt of a request, for logs. */
import { sentMethod } from './api-version.ts';
import type { ApiErrorCategory, AttemptFailure } from './attempts.ts';
import { bodyShape } from './body-shape.ts';
import type { Redact } from './redact.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { requestIdIn } from './request-id.ts';
import type { HttpResponse } from './transport.ts';

/** One attempt, for logs, without query, body and secrets. */
export interface ApiClientEvent {
  /** As it was sent. */
  readonly method: ApiRequest['method'];
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly tookMs: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly failure: { readonly category: ApiErrorCategory; readonly what: string } | null;
  /** Milliseconds until the next attempt; null after the last one. */
  readonly retryInMs: number | null;
  /** The resources that the request is about; empty where it is about none, or about all of a kind. */
  readonly addresses: readonly string[];
  /** The ID that the service gave the request, for its operators; null without one. */
  readonly requestId: string | null;
  /** Computes what only the most verbose log shows. */
  detail(): AttemptDetail;
}

/** The form of a request and its response. A body is described by its members and their types, without values. */
export interface AttemptDetail {
  readonly requestBody?: string;
  readonly responseBytes?: number;
  readonly responseHeaders?: readonly string[];
  readonly responseBody?: string;
}

/** What an HTTP response says beside its status and body. */
export interface ResponseHead {
  readonly requestId: string | null;
  readonly bytes: number;
  readonly headerNames: readonly string[] | undefined;
  /** Hides the secrets of the account, and the signatures that were in flight. */
  readonly redact: Redact;
}

/** Returns what a response says beside its status and body. */
export function headOf(response: HttpResponse, redact: Redact): ResponseHead {
  return { requestId: requestIdIn(response, redact), bytes: response.bytes.length, headerNames: response.headerNames, redact };
}

/** Builds the event of an attempt; `head` is absent without a response. */
export function eventOf(
  request: ApiRequest,
  addresses: readonly string[],
  attempt: number,
  tookMs: number,
  result: ApiResponse | AttemptFailure,
  head: ResponseHead | undefined,
  retryInMs: number | null,
): ApiClientEvent {
  const { path, body } = request;
  const failure = 'category' in result ? { category: result.category, what: result.what } : null;
  const requestId = head?.requestId ?? null;
  const detail = (): AttemptDetail => ({
    ...(body === undefined ? {} : { requestBody: bodyShape(body) }),
    ...(head ? { responseBytes: head.bytes } : {}),
    ...(head?.headerNames ? { responseHeaders: head.headerNames.map(head.redact) } : {}),
    // A service may use anything as the name of a member.
    ...('category' in result || !head ? {} : { responseBody: head.redact(bodyShape(result.body)) }),
  });
  return {
    method: sentMethod(request),
    path,
    attempt,
    tookMs,
    status: result.status ?? null,
    failure,
    retryInMs,
    addresses,
    requestId,
    detail,
  };
}
