import { Badge, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Response } from '#contract/endpoint.ts'
import type { system } from '#contract/endpoints/system.ts'
import type { Engine } from '#contract/entities/engine.ts'
import { isSameBuild } from '#contract/same-build.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatList } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { LabelledValue } from './engine-item.tsx'
import classes from './system.module.css'
import { ListedCard, CardList } from './card-list.tsx'

type Status = Response<typeof system.status>

/** The versions that the server and its engines run. Engines with the same versions are shown together. */
export function VersionsSection({ status }: { status: Status }) {
  const { engines, database } = status
  return (
    <section className={classes.section} aria-labelledby="versions">
      <Title order={2} id="versions">
        {t('Versions')}
      </Title>
      <CardList>
        <SoftwareItem title={t('Server')} software={status}>
          <LabelledValue name={t('Database')}>
            {database.is_embedded
              ? t('embedded, SQLite {version}', { version: database.version })
              : `MongoDB ${database.version}`}
          </LabelledValue>
        </SoftwareItem>
        {groupEngines(engines).map((group) => (
          <EngineSoftware key={group[0].id} group={group} isSame={isSameBuild(status, group[0])} />
        ))}
      </CardList>
    </section>
  )
}

type EngineGroup = [Engine, ...Engine[]]

/** Groups the engines by the versions that they run. */
function groupEngines(engines: Engine[]): EngineGroup[] {
  const keyOf = ({ version, revision, components }: Engine) => JSON.stringify([version, revision, components])
  return [...Map.groupBy(engines, keyOf).values()].filter((group): group is EngineGroup => group.length > 0)
}

function EngineSoftware({ group, isSame }: { group: EngineGroup; isSame: boolean }) {
  const hosts = formatList(new Set(group.map(({ host }) => isolateName(host))))
  const title = t('{count, plural, one {Engine} other {# engines}} on {hosts}', { count: group.length, hosts })
  return (
    <SoftwareItem
      title={title}
      software={group[0]}
      badge={!isSame && <Badge color="amber">{t('Another version')}</Badge>}
    />
  )
}

interface SoftwareItemProps {
  title: string
  software: Pick<Engine, 'version' | 'revision' | 'components'>
  /** Shown beside the title. */
  badge?: ReactNode
  /** Further values. */
  children?: ReactNode
}

function SoftwareItem({ title, software, badge, children }: SoftwareItemProps) {
  const { version, revision, components } = software
  return (
    <ListedCard>
      <Group gap="xs" justify="space-between">
        <Title order={3} size="md">
          {title}
        </Title>
        {badge}
      </Group>
      <dl className={classes.versions}>
        <LabelledValue name="Awaz">
          {version ? <Isolated>{version}</Isolated> : t('older than this server')}
        </LabelledValue>
        {revision !== null && (
          <LabelledValue name={t('Commit')}>
            <code dir="ltr">{revision}</code>
          </LabelledValue>
        )}
        {children}
        {components.map((component) => (
          <LabelledValue key={component.name} name={component.name}>
            {component.version ? <Isolated>{component.version}</Isolated> : t('not found')}
          </LabelledValue>
        ))}
      </dl>
    </ListedCard>
  )
}
