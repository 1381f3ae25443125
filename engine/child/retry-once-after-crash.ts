import { ChildDied } from './child-error.ts'

/** Calls `call`, and once more if the child process died during it. Rejects with ChildDied when the process dies again. */
export async function retryOnceAfterCrash<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ChildDied) return call()
    throw error
  }
}
