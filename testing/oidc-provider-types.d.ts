/** The parts of the package that testing/oidc-provider.ts uses; it ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
  import type { Context, Next } from 'koa'

  export interface ProviderContext extends Context {
    oidc: {
      client: { clientId: string }
      session: { accountId: string; grantIdFor(clientId: string): string | undefined }
      requestParamScopes: Set<string>
    }
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    Grant: new (properties: { accountId: string; clientId: string }) => Grant
    use(middleware: (ctx: ProviderContext, next: Next) => Promise<void>): void
    callback(): RequestListener
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string; amr: string[] } } | { error: string },
    ): Promise<void>
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  const MemoryAdapter: new (name: string) => object
  export default MemoryAdapter
}
