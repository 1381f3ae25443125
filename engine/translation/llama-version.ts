import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageDir = new URL('../../node_modules/node-llama-cpp/', import.meta.url)

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, packageDir), 'utf8'))
}

const { version } = z.object({ version: z.string() }).parse(readJson('package.json'))
const { release } = z.object({ release: z.string() }).parse(readJson('llama/binariesGithubRelease.json'))

/** The release of llama.cpp in use, and the version of node-llama-cpp that contains it. */
export const llamaVersion = `${release} (node-llama-cpp ${version})`
