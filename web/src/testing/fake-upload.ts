import { vi } from 'vitest'

type Listener = (event: { loaded: number; total: number }) => void

/** An upload, as seen from the server's side. */
export class FakeUpload {
  static readonly started: FakeUpload[] = []
  readonly upload = { addEventListener: (_: string, listener: Listener) => (this.#onProgress = listener) }
  responseType = ''
  status = 0
  response: unknown = null
  isAborted = false
  fileName = ''
  #onProgress: Listener | undefined
  readonly #listeners = new Map<string, () => void>()

  open(): void {}
  setRequestHeader(): void {}
  addEventListener(name: string, listener: () => void): void {
    this.#listeners.set(name, listener)
  }

  send(form: FormData): void {
    const file = form.get('audio')
    this.fileName = file instanceof File ? file.name : ''
    FakeUpload.started.push(this)
  }

  abort(): void {
    this.isAborted = true
    this.#end('abort')
  }

  progress(loaded: number, total: number): void {
    this.#onProgress?.({ loaded, total })
  }

  respond(status: number, body: unknown): void {
    this.status = status
    this.response = body
    this.#end('load')
  }

  disconnect(): void {
    this.#end('error')
  }

  #end(name: string): void {
    this.#listeners.get(name)?.()
    this.#listeners.get('loadend')?.()
  }
}

/** Stands in for POST /api/upload at the network's edge: uploads use XMLHttpRequest, which reports their progress. */
export function fakeUploads(): FakeUpload[] {
  FakeUpload.started.length = 0
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  return FakeUpload.started
}
