import { Alert, Badge, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatSize } from '../../../shared/format.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { LabelledValue } from '../engine-item.tsx'
import { formatSpeed } from '../format-speed.ts'
import systemClasses from '../system.module.css'
import { ClearChoiceButton } from './clear-choice.tsx'
import classes from './models.module.css'
import { OperationProgress } from './operation-progress.tsx'
import { describeError, describeEvaluation, describeLanguages, describeSize, describeUse } from './descriptions.ts'
import { WeakLanguages } from './weak-languages.tsx'
import { ListedCard } from '../card-list.tsx'

interface ModelCardProps {
  model: Model
  /** The operation that is running or waiting for this model. */
  operation: ModelOperation | undefined
  actions: ReactNode
}

/** One installed model: whether it works, what it serves, and its facts. */
export function ModelCard({ model, operation, actions }: ModelCardProps) {
  const { problem } = model
  return (
    <ListedCard py={18} aria-labelledby={`model-${model.id}`}>
      <div className={classes.cardHead}>
        <div>
          <Title order={3} size="md" id={`model-${model.id}`}>
            {model.name}
          </Title>
          <Text component="div" size="sm" c="dimmed">
            <code>{model.id}</code> · {model.engine}
          </Text>
        </div>
        <HealthBadge model={model} />
      </div>
      {problem && (
        <Alert color="red" title={translateSentence(problem.message)}>
          {problem.help}
        </Alert>
      )}
      <Uses model={model} />
      {model.form && <Text size="sm">{model.form}</Text>}
      <WeakLanguages model={model} />
      <Facts model={model} />
      {operation ? (
        <OperationProgress operation={operation} models={[model]} />
      ) : (
        <Group gap="xs" align="stretch" mt="auto" pt={4}>
          {actions}
        </Group>
      )}
    </ListedCard>
  )
}

function HealthBadge({ model: { problem, trial, is_demo } }: { model: Model }) {
  if (problem) return <Badge color="red">{t('Problem')}</Badge>
  if (trial) return <Badge color="green">{t('Works')}</Badge>
  return <Badge color="gray">{is_demo ? t('Demonstration') : t('Not tried yet')}</Badge>
}

function Uses({ model }: { model: Model }) {
  if (model.uses.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Serves nothing now')}
      </Text>
    )
  }
  return (
    <Group component="ul" gap={6} align="stretch" aria-label={t('What {name} serves', { name: model.name })}>
      {model.uses.map((use) => (
        <Group component="li" key={`${use.scope}-${use.code}`} gap={2} wrap="nowrap" display="inline-flex">
          <Badge color="accent" size="lg">
            {describeUse(use, model.kind)}
            {use.chosen_by === 'environment' && (
              <Text span inherit fw={400}>{` · ${t('set by the environment')}`}</Text>
            )}
          </Badge>
          <ClearChoiceButton model={model} use={use} />
        </Group>
      ))}
    </Group>
  )
}

function Facts({ model }: { model: Model }) {
  const { trial, memory_bytes: memory, errors, evaluations } = model
  return (
    <dl className={`${systemClasses.facts} ${classes.facts}`}>
      <LabelledValue name={t('Size')}>{describeSize(model)}</LabelledValue>
      <LabelledValue name={t('Memory')}>{memory === null ? t('not known') : formatSize(memory)}</LabelledValue>
      <LabelledValue name={t('Licence')}>{model.licence ?? t('not known')}</LabelledValue>
      <LabelledValue name={t('Last trial here')}>
        {trial ? `${formatAgo(trial.tried_at)}${trialSpeed(trial)}` : t('none')}
      </LabelledValue>
      <Lines name={t('Languages')} lines={[describeLanguages(model.languages)]} />
      <Lines name={t('Errors')} lines={errors.length > 0 ? errors.map(describeError) : [t('not measured')]} />
      {evaluations.length > 0 && (
        <Lines name={t('On samples of your own')} lines={evaluations.map(describeEvaluation)} />
      )}
    </dl>
  )
}

/** A fact on its own row. */
function Lines({ name, lines }: { name: string; lines: string[] }) {
  return (
    <div className={systemClasses.wide}>
      <dt>{name}</dt>
      {lines.map((line) => (
        <dd key={line}>{line}</dd>
      ))}
    </div>
  )
}

function trialSpeed({ real_time_factor: factor }: NonNullable<Model['trial']>): string {
  return factor === null ? '' : `, ${formatSpeed(factor)}`
}
