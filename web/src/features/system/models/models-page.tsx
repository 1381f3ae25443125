import { Alert, Text, Title } from '@mantine/core'
import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs'
import { useId, type ReactNode } from 'react'
import type { Model } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { ConsolePage } from '../../admin/console-page.tsx'
import { PolledContent } from '../polled-content.tsx'
import systemClasses from '../system.module.css'
import { CatalogList } from './catalog-list.tsx'
import { ImportPanel } from './import-panel.tsx'
import { ModelActions } from './model-actions.tsx'
import { ModelCard } from './model-card.tsx'
import { ModelComparison } from './model-comparison.tsx'
import { OperationList } from './operation-list.tsx'
import { isActiveOperation, useModels, useOperations } from './use-models.ts'
import common from '../../../shared/ui/common.module.css'
import { CardList } from '../card-list.tsx'

/** How many finished operations are shown. */
const maxFinished = 8

/** The models of this installation: what they serve, whether they work, and how to add and remove them. */
export function ModelsPage() {
  return (
    <ConsolePage
      access="super_admin"
      title={t('Models')}
      lead={t(
        'What transcribes and translates here. A change takes effect with the next job; nothing has to be started again.',
      )}
    >
      <ModelsContent />
    </ConsolePage>
  )
}

function ModelsContent() {
  return (
    <PolledContent
      query={useModels()}
      loadingText={t('Loading the models')}
      failureText={t('The models could not be loaded.')}
    >
      {(list) => (
        <>
          <CatalogProblems problems={list.problems} />
          <Models models={list.models} engines={list.engines} />
        </>
      )}
    </PolledContent>
  )
}

/** The problems of the catalogues: otherwise a model left out because of one would just be missing. */
function CatalogProblems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null
  return (
    <Alert color="amber" mb="lg" title={t('Something is wrong with the catalogue of models')}>
      <ul className={`${common.bullets} ${common.wrap}`}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Alert>
  )
}

function Models({ models, engines }: { models: Model[] | null; engines: number }) {
  const operations = useOperations()
  if (!models) {
    return (
      <div className={`${common.surface} ${common.clip}`}>
        <Notice
          title={engines === 0 ? t('No engine is running') : t('The engine is looking at its models')}
          icon={<IconBox size={22} stroke={1.5} />}
        >
          {engines === 0
            ? t('Engines know which models there are. The log of the engine says why it does not start.')
            : t('This takes a moment after a start, and longer where large files are read for the first time.')}
        </Notice>
      </div>
    )
  }
  const active = operations.filter(isActiveOperation)
  const shown = [...active, ...operations.filter((operation) => !isActiveOperation(operation)).slice(0, maxFinished)]
  const notInstalled = models.filter((model) => !model.is_installed)
  return (
    <>
      <InstalledModels title={t('Transcription')} kind="speech" models={models} active={active} />
      <InstalledModels title={t('Translation')} kind="translation" models={models} active={active} />
      <Section title={t('Add a model')}>
        <ImportPanel />
      </Section>
      {shown.length > 0 && (
        <Section title={t('Operations')}>
          <OperationList operations={shown} models={models} />
        </Section>
      )}
      <Section
        title={t('Which model on this host')}
        note={t(
          'CPU time for an hour of sound, and the words that are wrong, as published or measured. Each model names the recordings.',
        )}
      >
        <ModelComparison models={models} />
      </Section>
      {notInstalled.length > 0 && (
        <Section
          title={t('Not installed')}
          note={t('Models of the catalogue that can be downloaded, or imported from a file.')}
        >
          <CatalogList models={notInstalled} operations={active} />
        </Section>
      )}
    </>
  )
}

interface InstalledModelsProps {
  title: string
  kind: Model['kind']
  models: Model[]
  active: ModelOperation[]
}

function InstalledModels({ title, kind, models, active }: InstalledModelsProps) {
  const installed = models.filter((model) => model.kind === kind && model.is_installed)
  return (
    <Section title={title}>
      {installed.length === 0 ? (
        <Text c="dimmed">{t('No model is installed for this. Add one below.')}</Text>
      ) : (
        <CardList>
          {installed.map((model) => (
            <ModelCard
              key={model.id}
              model={model}
              operation={active.find(({ model_id }) => model_id === model.id)}
              actions={<ModelActions model={model} />}
            />
          ))}
        </CardList>
      )}
    </Section>
  )
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={systemClasses.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {note && (
        <Text c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      {children}
    </section>
  )
}
