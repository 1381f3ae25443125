import { koaBody } from 'koa-body'
import { AppError } from '#contract/app-error.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { AppContext } from './context.ts'
import { allowLongBody } from './slow-bodies.ts'

const smallBodyBytes = 1024 * 1024
const longWorkBodyBytes = 16 * 1024 * 1024
const readers = { small: readerOf(smallBodyBytes), longWork: readerOf(longWorkBodyBytes) }

function readerOf(jsonLimit: number) {
  return koaBody({ json: true, urlencoded: false, text: false, multipart: false, jsonLimit })
}

/**
 * The JSON body of a request, undefined where there is none. Only JSON is read, so that a form posted from another site reaches no
 * handler; and only plain JSON: no client of ours compresses, and what inflates is a way to fill memory.
 */
export async function readJsonBody(ctx: AppContext, spec: EndpointSpec): Promise<unknown> {
  const length = ctx.request.length
  const isEmpty = ctx.get('Transfer-Encoding') === '' && (length === undefined || length === 0)
  if (isEmpty) return undefined
  if (!ctx.is('application/json')) throw new AppError('invalid_input', 'Send the request as application/json.')
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').trim().toLowerCase())) {
    ctx.set('Accept-Encoding', 'identity') // RFC 9110, section 15.5.16
    throw new AppError('unsupported_encoding', 'Send the request without Content-Encoding.')
  }
  if (spec.isLongWork) allowLongBody(ctx.req) // transcriptions of many hours, over slow lines
  await (spec.isLongWork ? readers.longWork : readers.small)(ctx, async () => undefined)
  return ctx.request.body
}
