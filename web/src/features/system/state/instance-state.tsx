import { Group, Text, Title } from '@mantine/core'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { t } from '#contract/texts/t.ts'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { PolledContent } from '../polled-content.tsx'
import { SeverityIcon } from '../../../shared/ui/severity-icon.tsx'
import { useInstanceState } from '../../../shared/use-instance-state.ts'
import { StateTiles } from './state-tiles.tsx'
import classes from './state.module.css'
import common from '../../../shared/ui/common.module.css'

/** The warnings, worst first, each with what to do about it. */
function WarningList({ warnings }: { warnings: InstanceWarning[] }) {
  if (warnings.length === 0) {
    return (
      <Group gap="sm" wrap="nowrap" p={20} c="var(--awaz-custom)" className={common.surface}>
        <IconCircleCheck size={22} stroke={1.5} aria-hidden />
        <Text>{t('Everything works.')}</Text>
      </Group>
    )
  }
  return (
    <ul className={classes.warnings}>
      {warnings.map(({ title, remedy, severity }) => (
        <li key={title}>
          <SeverityIcon severity={severity} />
          <div>
            <p className={classes.title}>{translateSentence(title)}</p>
            <p className={classes.remedy}>{translateSentence(remedy)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What needs attention, and the state of queue, disks, backups and certificate. */
export function InstanceState() {
  return (
    <PolledContent
      query={useInstanceState()}
      loadingText={t('Loading the state of the instance')}
      failureText={t('The state of the instance could not be loaded.')}
    >
      {(state) => (
        <>
          <section className={classes.section} aria-labelledby="warnings">
            <Title order={2} id="warnings">
              {t('Needs attention')}
            </Title>
            <WarningList warnings={state.warnings} />
          </section>
          <section className={classes.section} aria-labelledby="state">
            <Title order={2} id="state">
              {t('State')}
            </Title>
            <StateTiles state={state} />
          </section>
        </>
      )}
    </PolledContent>
  )
}
