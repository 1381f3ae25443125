import { koaBody } from 'koa-body'
import { AppError } from '#contract/app-error.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { AppContext } from './context.ts'
import { allowLongBody } from './slow-bodies.ts'

const maxBodyBytes = 1024 * 1024
const maxLongWorkBodyBytes = 16 * 1024 * 1024
const readers = { small: createReader(maxBodyBytes), longWork: createReader(maxLongWorkBodyBytes) }

function createReader(jsonLimit: number) {
  return koaBody({ json: true, urlencoded: false, text: false, multipart: false, jsonLimit })
}

/**
 * Returns the parsed JSON body, or undefined when there is none. Accepts only JSON, so that a form posted by another site reaches no
 * handler, and no Content-Encoding: none of our clients compress, and a small body that inflates could exhaust the memory.
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
  if (spec.isLongWork) allowLongBody(ctx.req) // transcripts of many hours, over slow connections
  await (spec.isLongWork ? readers.longWork : readers.small)(ctx, async () => undefined)
  return ctx.request.body
}
