// Parent process for the tests: starts a child that hangs, prints its id and waits to be killed.
import { join } from 'node:path'
import { startNativeChild } from '../native-child.ts'
import type { TrialMethods } from './trial-child.ts'

const child = startNativeChild<TrialMethods>({
  name: 'The trial',
  script: join(import.meta.dirname, 'trial-child.ts'),
})
await child.call('hang', undefined, { onEvent: () => console.log(child.pid()) })
