import type { AppRouter } from '#server/http/context.ts'
import { makeNonce, pagePolicy } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { buildOpenApi } from './openapi.ts'
import { buildDocsPage } from './page.ts'

/** The API page and its OpenAPI document, made from the contract. They are not part of the contract themselves. */
export function mountDocs(router: AppRouter, { config }: Services): void {
  router.get('/api/docs', (ctx) => {
    const nonce = makeNonce()
    ctx.set('Content-Security-Policy', pagePolicy(nonce, undefined))
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = buildDocsPage(nonce)
  })
  router.get('/api/docs/openapi.json', (ctx) => {
    ctx.body = buildOpenApi(config.publicUrl)
  })
}
