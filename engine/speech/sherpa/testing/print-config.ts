import { createRequire } from 'node:module'
import { sherpaEngineFamilies, sherpaFamilies } from '#engine/models/sherpa-families.ts'
import { recognizerConfig } from '../recognizer-config.ts'

/** Passes the configuration of a model family to sherpa-onnx, which prints it and then fails because the files do not exist. */
const { OfflineRecognizer } = createRequire(import.meta.url)('sherpa-onnx-node') as {
  OfflineRecognizer: { createAsync(config: object): Promise<unknown> }
} // it ships no types
const family = sherpaEngineFamilies.find((name) => name === process.argv[2])
if (!family) throw new Error('Name a family that sherpa-onnx runs')
const files = Object.fromEntries(sherpaFamilies[family].roles.map((role) => [role, `/m/${role}`]))
const { modelConfig, ...rest } = recognizerConfig({ family, files, threads: 3, language: 'en' })
await OfflineRecognizer.createAsync({ ...rest, modelConfig: { ...modelConfig, debug: 1 } }).catch(() => undefined)
