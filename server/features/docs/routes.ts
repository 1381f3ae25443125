import type { Config } from '#data/config.ts'
import type { AppRouter } from '#server/http/context.ts'
import { makeNonce, pagePolicy } from '#server/http/security-headers.ts'
import { buildOpenApi } from './openapi.ts'
import { buildDocsPage } from './page.ts'

/** Mounts the API page and its OpenAPI document, generated from the contract. They are not part of the contract themselves. */
export function mountDocs(router: AppRouter, { config }: { config: Pick<Config, 'publicUrl'> }): void {
  router.get('/api/docs', (ctx) => {
    const nonce = makeNonce()
    ctx.set('Content-Security-Policy', pagePolicy(nonce, undefined))
    ctx.type = 'html'
    ctx.body = buildDocsPage(nonce)
  })
  router.get('/api/docs/openapi.json', (ctx) => {
    ctx.body = buildOpenApi(config.publicUrl)
  })
}
