import { Text } from '@mantine/core'
import { describeModel, type ModelProvenance, type Provenance } from '#contract/provenance.ts'
import { t } from '#contract/texts/t.ts'
import { formatExactMoment } from '../../../shared/format.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './provenance-details.module.css'

interface ProvenanceDetailsProps {
  /** Kind of text that the models produced. */
  what: 'Transcript' | 'Translation'
  /** Null or missing for texts of versions that did not store it. */
  provenance: Provenance | undefined
}

/** The models that made a text. */
export function ProvenanceDetails({ what, provenance }: ProvenanceDetailsProps) {
  if (!provenance) {
    return (
      <Text size="sm" className={classes.unknown}>
        {what === 'Transcript'
          ? t('Transcript: unknown model. The version that created this transcript did not record its model.')
          : t('Translation: unknown model. The version that made this translation did not note its model.')}
      </Text>
    )
  }
  // The list is empty if there was no speech, as no model ran then.
  return provenance.map((model) => (
    <Details key={model.model_id} title={what === 'Transcript' ? t('Transcript') : t('Translation')} model={model} />
  ))
}

function Details({ title, model }: { title: string; model: ModelProvenance }) {
  const { model_id, model_name, model_hash, engine, engine_version, settings, created_at } = model
  return (
    <section aria-label={`${title}: ${model_name}`} className={classes.model}>
      <Text fw={600} size="sm">
        {title}: <Isolated>{describeModel(model)}</Isolated>
      </Text>
      <dl className={classes.facts}>
        <Fact name={t('Id')}>{model_id}</Fact>
        <Fact name={t('Engine')}>{engine_version === null ? engine : `${engine} ${engine_version}`}</Fact>
        <Fact name="SHA-256">{model_hash ?? t('unknown: another machine holds the model')}</Fact>
        <Fact name={t('Made')}>{formatExactMoment(created_at)}</Fact>
        <Fact name={t('Settings')}>{describeSettings(settings)}</Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Isolated>{children}</Isolated>
      </dd>
    </>
  )
}

/** Formats settings under the engine's own names, so that two texts can be compared. */
function describeSettings(settings: ModelProvenance['settings']): string {
  return Object.entries(settings)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? value : JSON.stringify(value).replaceAll(/,(?=["{])/g, ', ')}`,
    )
    .join('\n')
}
