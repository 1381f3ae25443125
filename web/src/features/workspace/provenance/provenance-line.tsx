import { Anchor, Popover, Text } from '@mantine/core'
import { describeModel, type ModelProvenance, type Provenance } from '#contract/provenance.ts'
import { formatExactMoment } from '../../../shared/format.ts'
import classes from './provenance-line.module.css'

interface ProvenanceLineProps {
  /** What the models made, such as `Transcript`. */
  what: string
  /** Null or missing for texts of versions that did not store it. */
  provenance: Provenance | undefined
}

/** Names the models that made a text; a click shows more about them. */
export function ProvenanceLine({ what, provenance }: ProvenanceLineProps) {
  if (!provenance) {
    return (
      <span title={`The version that made this ${what.toLowerCase()} did not note its model.`}>
        {what}: unknown model
      </span>
    )
  }
  // There was no speech, so no model ran.
  if (provenance.length === 0) return null
  return (
    <span>
      {what}:{' '}
      <Popover width="min(28rem, 92vw)" position="bottom-start" shadow="md" withinPortal trapFocus returnFocus>
        <Popover.Target>
          <Anchor component="button" type="button" size="sm" c="dimmed" underline="always" ta="start">
            <bdi>{provenance.map(describeModel).join('; ')}</bdi>
          </Anchor>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Model of the ${what.toLowerCase()}`} className={classes.details}>
          {provenance.map((model) => (
            <Details key={model.model_id} model={model} />
          ))}
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}

function Details({ model }: { model: ModelProvenance }) {
  const { model_id, model_name, model_hash, engine, engine_version, settings, created_at } = model
  return (
    <section aria-label={model_name}>
      <Text fw={600} size="sm">
        <bdi>{model_name}</bdi>
      </Text>
      <dl className={classes.facts}>
        <Fact name="Id">{model_id}</Fact>
        <Fact name="Engine">{engine_version === null ? engine : `${engine} ${engine_version}`}</Fact>
        <Fact name="SHA-256">{model_hash ?? 'unknown: another machine holds the model'}</Fact>
        <Fact name="Made">{formatExactMoment(created_at)}</Fact>
        <Fact name="Settings">{describeSettings(settings)}</Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  )
}

/** Formats settings as the engine has them, so that two texts can be compared. */
function describeSettings(settings: ModelProvenance['settings']): string {
  return Object.entries(settings)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? value : JSON.stringify(value).replaceAll(/,(?=["{])/g, ', ')}`,
    )
    .join('\n')
}
