import { Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { PolledContent } from '../polled-content.tsx'
import { StateTiles } from './state-tiles.tsx'
import classes from './state.module.css'
import { useInstanceState } from './use-instance-state.ts'
import { WarningList } from './warning-list.tsx'

/** What needs attention, and how queue, disks, backups and certificate are. */
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
