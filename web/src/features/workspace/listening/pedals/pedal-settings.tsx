import { useState } from 'react'
import { ActionIcon, Button, Group, NativeSelect, Switch, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../../shared/format.ts'
import { listeningActions } from '../listening-actions.ts'
import { useListeningSettings } from '../listening-settings.ts'
import { actionOfPedal, defaultPedals } from './pedal-actions.ts'
import classes from './pedal-settings.module.css'
import { usePedalPresses, usePedals } from './use-pedals.ts'
import { findHid, type HidDevice } from './web-hid.ts'

/** Connects foot pedals that send no keys, and sets the action of each. Renders nothing if the browser cannot read them. */
export function PedalSettings() {
  const { pedals, devices } = usePedals()
  const [error, setError] = useState<string>()
  if (!findHid()) return null

  async function connect() {
    setError(undefined)
    try {
      await pedals.connect()
    } catch {
      setError(
        t(
          'The pedal could not be opened. Close other programs that use it, or unplug it and plug it in again, then connect it.',
        ),
      )
    }
  }

  return (
    <section aria-label={t('Foot pedal')} className={classes.pedals}>
      <Text fw={600} size="sm">
        {t('Foot pedal')}
      </Text>
      {devices.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('One that sends no keys is read by the browser itself, once it is connected here.')}
        </Text>
      ) : (
        <>
          {devices.map((device, index) => (
            <Group key={index} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" dir="auto">
                {nameOf(device)}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Disconnect {name}', { name: isolateName(nameOf(device)) })}
                onClick={() => void pedals.forget(device)}
              >
                <IconX size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <PedalActions />
        </>
      )}
      <p role="alert" className={classes.error}>
        {error}
      </p>
      <Button variant="default" size="xs" onClick={() => void connect()}>
        {t('Connect a pedal…')}
      </Button>
    </section>
  )
}

function nameOf({ productName }: HidDevice): string {
  return productName.trim() || t('Foot pedal')
}

const inOrder = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b)

/** A choice per pedal; pressed pedals are marked, so that a press shows which one it is. */
function PedalActions() {
  const { listening, change } = useListeningSettings()
  const [down, setDown] = useState<ReadonlySet<number>>(new Set())
  const [pressed, setPressed] = useState<readonly number[]>(defaultPedals)
  usePedalPresses((presses) => {
    setDown((before) => new Set([...before, ...presses.down].filter((pedal) => !presses.up.includes(pedal))))
    setPressed((before) => [...new Set([...before, ...presses.down])])
  })
  const numbers = new Set([...pressed, ...Object.keys(listening.pedals).map(Number)])
  const choices = [
    { value: '', label: t('Nothing') },
    ...listeningActions.map(({ action, effect }) => ({ value: action, label: effect })),
  ]
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('Press a pedal to see which it is.')}
      </Text>
      {inOrder(numbers).map((pedal) => (
        <NativeSelect
          key={pedal}
          label={t('Pedal {number}', { number: formatNumber(pedal) })}
          size="xs"
          data={choices}
          labelProps={{ 'data-down': down.has(pedal) || undefined, className: classes.pedal }}
          value={actionOfPedal(pedal, listening.pedals) ?? ''}
          onChange={(event) => change({ pedals: { ...listening.pedals, [pedal]: event.currentTarget.value } })}
        />
      ))}
      <Switch
        size="xs"
        label={t('Play only while the pedal is down')}
        checked={listening.playsWhileHeld}
        onChange={(event) => change({ playsWhileHeld: event.currentTarget.checked })}
      />
    </>
  )
}
