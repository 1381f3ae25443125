import { transcriptionLanguages } from '#contract/languages.ts'
import {
  describeErrorRates,
  describeMemory,
  describeRecommendation,
  describeWork,
  listComparedModels,
  recommendSpeechModels,
} from '#contract/model-recommendations.ts'
import type { Config } from '#data/config.ts'
import { describeModels } from '#engine/models/describe-models.ts'
import { formatTable } from './format-table.ts'

/** Prints what each speech model needs on this machine, its published and measured errors, and the recommendation for each language. */
export async function recommend(config: Config): Promise<void> {
  const { models } = await describeModels(config)
  const rows = listComparedModels(models).map((model) => [
    `${model.is_installed ? '✓' : ' '} ${model.id}`,
    describeWork(model) ?? 'not known',
    describeMemory(model) ?? 'not known',
    ...transcriptionLanguages.map((language) => describeErrorRates(model, language)[0]?.replace(/ .*/u, '') ?? ''),
  ])
  const head = [
    '  model',
    'CPU time an hour',
    'memory',
    ...transcriptionLanguages.map((language) => `${language} wrong`),
  ]
  console.log(formatTable([head, ...rows]))
  const isKnown = rows.some(([, work]) => work !== 'not known')
  if (!isKnown) {
    console.log(
      '\nThe trial of any Whisper shows how fast this machine is: models pull whisper-base, then models verify whisper-base.',
    )
  }
  console.log(`\n${recommendSpeechModels(models).map(describeRecommendation).join('\n')}`)
  console.log(
    '\nErrors are those that others published or that came with the catalogue; models list says of which recordings.',
  )
}
