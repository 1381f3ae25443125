import { Box, Button, Text } from '@mantine/core'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { semicolon } from '../../../shared/format.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import classes from './models.module.css'
import { OperationProgress } from './operation-progress.tsx'
import { useModelCommands } from './use-models.ts'
import { describeError, describeLanguages, describeSize } from './descriptions.ts'
import { WeakLanguages } from './weak-languages.tsx'
import common from '../../../shared/ui/common.module.css'
import { Isolated } from '../../../shared/ui/isolated.tsx'

interface CatalogListProps {
  models: Model[]
  operations: ModelOperation[]
}

/** Models in the catalogue that are not installed, with a download button or the reason why there is no download. */
export function CatalogList({ models, operations }: CatalogListProps) {
  return (
    <div className={`${common.surface} ${common.clip}`}>
      <ul>
        {models.map((model) => (
          <CatalogRow
            key={model.id}
            model={model}
            operation={operations.find(({ model_id }) => model_id === model.id)}
          />
        ))}
      </ul>
    </div>
  )
}

const kinds = { speech: t('Transcription'), translation: t('Translation') } as const

function CatalogRow({ model, operation }: { model: Model; operation: ModelOperation | undefined }) {
  const { start, isBusy } = useModelCommands()
  const { name, kind, languages, licence, errors, pull_problem: problem } = model
  return (
    <li className={classes.catalogRow}>
      <Box flex="1 1 22rem" miw={0}>
        <Text fw={560}>{name}</Text>
        <Text size="sm" c="dimmed">
          {kinds[kind]} · {describeLanguages(languages, 5)} · {describeSize(model)} ·{' '}
          <Isolated>{licence ?? t('licence not known')}</Isolated>
        </Text>
        <Text size="sm" c="dimmed">
          {errors.length === 0 ? t('Errors not measured') : errors.map(describeError).join(semicolon)}
        </Text>
        <WeakLanguages model={model} />
      </Box>
      {operation ? (
        <OperationProgress operation={operation} models={[model]} />
      ) : (
        <div className={classes.catalogAction}>
          <Button
            variant="light"
            size="xs"
            loading={isBusy}
            disabled={problem !== null}
            aria-label={t('Download {name}', { name })}
            {...(problem && { 'aria-describedby': `why-${model.id}` })}
            onClick={() => void start({ kind: 'pull', model_id: model.id })}
          >
            {t('Download')}
          </Button>
          {problem && (
            <Text size="sm" c="dimmed" id={`why-${model.id}`}>
              {translateSentence(problem)}
            </Text>
          )}
        </div>
      )}
    </li>
  )
}
