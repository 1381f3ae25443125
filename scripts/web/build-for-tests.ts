import { dirname } from 'node:path'
import { buildWebIfStale } from './build.ts'

/** Builds the web app once before the browser tests: stacks that start in parallel would each build it into the same folder. */
export async function setup(): Promise<void> {
  await buildWebIfStale(dirname(dirname(import.meta.dirname)))
}
