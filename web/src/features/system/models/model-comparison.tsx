import { Stack, Table, Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import { transcriptionLanguages } from '#contract/languages.ts'
import {
  describeErrorRates,
  describeMemory,
  describeRecommendation,
  describeWork,
  listComparedModels,
  recommendSpeechModels,
} from '#contract/model-recommendations.ts'
import { t } from '#contract/texts/t.ts'
import { maxUsefulErrorPercent } from '#contract/weak-languages.ts'
import { comma } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import common from '../../../shared/ui/common.module.css'
import { formatErrorRate } from './descriptions.ts'

/** Which speech model suits each language on this host, and what each needs, in the words of `models recommend`. */
export function ModelComparison({ models }: { models: Model[] }) {
  const compared = listComparedModels(models)
  const isTimed = compared.some((model) => describeWork(model) !== undefined)
  return (
    <>
      <Stack component="ul" gap={6} mb="md" className={common.bullets}>
        {recommendSpeechModels(models).map((recommendation) => (
          <li key={recommendation.language}>{describeRecommendation(recommendation)}</li>
        ))}
      </Stack>
      {!isTimed && (
        <Text c="dimmed" mb="sm">
          {t(
            'Download Whisper base and try it: the trial shows how fast this host is, and the other sizes are estimated from it.',
          )}
        </Text>
      )}
      <div className={`${common.surface} ${common.clip}`}>
        <Table.ScrollContainer minWidth={620}>
          <Table verticalSpacing="xs" aria-label={t('What speech models take on this host, and their wrong words')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Model')}</Table.Th>
                <Table.Th>{t('CPU time an hour')}</Table.Th>
                <Table.Th>{t('Memory')}</Table.Th>
                {transcriptionLanguages.map((language) => (
                  <Table.Th key={language}>{languageName(language)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {compared.map((model) => (
                <ModelRow key={model.id} model={model} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
    </>
  )
}

function ModelRow({ model }: { model: Model }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={560}>
        {model.name}
        {!model.is_installed && (
          <Text span size="sm" c="dimmed">
            {' '}
            {t('not installed')}
          </Text>
        )}
      </Table.Th>
      <Table.Td>{describeWork(model) ?? t('not known')}</Table.Td>
      <Table.Td>{describeMemory(model) ?? t('not known')}</Table.Td>
      {transcriptionLanguages.map((language) => (
        <ErrorCell key={language} model={model} language={language} />
      ))}
    </Table.Tr>
  )
}

/** The lowest error rate; on hover, all rates and the recordings they were measured on. */
function ErrorCell({ model, language }: { model: Model; language: string }) {
  const percents = model.errors
    .filter((error) => error.metric === 'wer' && error.language === language)
    .map(({ percent }) => percent)
  if (percents.length === 0) return <Table.Td />
  const lowest = Math.min(...percents)
  return (
    <Table.Td
      title={describeErrorRates(model, language).join(comma)}
      {...(lowest >= maxUsefulErrorPercent && { c: 'dimmed' })}
    >
      {formatErrorRate(lowest)}
    </Table.Td>
  )
}
