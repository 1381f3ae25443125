import { z } from 'zod'
import type { Config } from '#data/config.ts'
import type { AppRouter } from '#server/http/context.ts'
import { makeNonce, pagePolicy } from '#server/http/security-headers.ts'
import { requiredApiKeyScope } from '#contract/api-key-scopes.ts'
import { listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { version } from '#data/version.ts'
import { escapeHtml } from '../mail/templates/layout.ts'
import { buildOpenApi, errorsByStatus } from './openapi.ts'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  section { border-top: 1px solid #8886; padding: .5rem 0 }
  code, pre { font-family: ui-monospace, monospace; font-size: .875rem }
  pre { overflow: auto; padding: .75rem; background: #8882; border-radius: .375rem }
  h3 { margin: .75rem 0 .25rem; font-size: 1rem; font-weight: 600 }
  .method { display: inline-block; min-width: 4.5rem; font-weight: 700 }
`

/** Mounts the API page and its OpenAPI document, which is generated from the contract. Neither is part of the contract itself. */
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

/** Builds the API page: one plain HTML document without scripts, so that it works on a closed network. */
function buildDocsPage(nonce: string): string {
  const groups = Object.groupBy(listEndpoints(), ({ name }) => name.split('.')[0] ?? '')
  const parts = Object.entries(groups).map(
    ([group, endpoints]) =>
      `<h2 id="${group}">${group}</h2>${(endpoints ?? []).map(({ spec }) => describe(spec)).join('')}`,
  )
  const links = Object.keys(groups).map((group) => `<a href="#${group}">${group}</a>`)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>Awaz API</title><style nonce="${nonce}">${style}</style></head><body><h1>Awaz API ${version}</h1>`,
    '<p>JSON in and out; <code>Authorization: Bearer</code> with the access token, or with an API key where the call says so. The same as ',
    '<a href="/api/docs/openapi.json">OpenAPI 3.1</a>.</p>',
    `<nav>${links.join(' · ')}</nav>${parts.join('')}</body></html>`,
  ].join('')
}

/** Describes who may call an endpoint, and what an API key needs to call it. */
function describeAccess(spec: EndpointSpec): string {
  const keyScope = requiredApiKeyScope(spec)
  return keyScope ? `${spec.access}; API key that may ${keyScope}` : spec.access
}

function describe(spec: EndpointSpec): string {
  const errors = [...errorsByStatus(spec)].map(
    ([status, codes]) => `<li>${status} ${escapeHtml(codes.join(', '))}</li>`,
  )
  return [
    `<section><h3><span class="method">${spec.method}</span> <code>${escapeHtml(spec.path)}</code></h3>`,
    `<p>${escapeHtml(spec.summary)} <em>(${describeAccess(spec)})</em></p><details><summary>Request, response, errors</summary>`,
    schemaBlock('Query', spec.query, 'input'),
    schemaBlock('Body', spec.body, 'input'),
    schemaBlock(`Response ${spec.status ?? 200}`, spec.response, 'output'),
    `<ul>${errors.join('')}</ul></details></section>`,
  ].join('')
}

function schemaBlock(title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string {
  if (!schema) return ''
  const { $schema: _dialect, ...shown } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return `<p>${title}</p><pre>${escapeHtml(JSON.stringify(shown, null, 2))}</pre>`
}
