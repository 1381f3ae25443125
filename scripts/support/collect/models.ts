import type { Model } from '#contract/entities/model.ts'
import type { Config } from '#data/config.ts'
import { describeModels } from '#engine/models/describe-models.ts'
import { fields, fileHash, flag, listOf, number, oneOf, pattern } from '../allow-list.ts'
import type { SupportFile } from '../archive.ts'
import { languageCodes } from '../vocabulary.ts'

/** Returns the installed models: those in the catalogue by id, imported ones by engine, size and hash. */
export async function describeInstalledModels(config: Config, catalogIds: readonly string[]): Promise<SupportFile> {
  const language = oneOf(languageCodes)
  const shape = fields({
    id: oneOf(catalogIds, 'imported'),
    kind: oneOf(['speech', 'translation']),
    engine: oneOf(['whisper.cpp', 'onnxruntime', 'sherpa-onnx', 'llama.cpp']),
    languages: listOf(language),
    is_demo: flag,
    has_problem: flag,
    size_bytes: number,
    content_hash: fileHash,
    memory_bytes: number,
    uses: listOf(
      fields({
        scope: oneOf(['default', 'language', 'pair']),
        code: pattern(/[a-z]{2}(?:-[a-z]{2})?/),
        chosen_by: oneOf(['environment', 'person', 'nobody']),
      }),
    ),
  })
  const { models, problems } = await describeModels(config)
  return {
    name: 'models',
    about: 'installed models: ids of the catalogue; imported ones by engine, size and SHA-256',
    shape: fields({ installed: listOf(shape), catalog_problems: number }),
    value: {
      installed: models.filter(({ is_installed }) => is_installed).map(describe),
      catalog_problems: problems.length,
    },
  }
}

function describe(model: Model) {
  return { ...model, has_problem: model.problem !== null }
}
