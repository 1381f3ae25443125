import { Button, Menu } from '@mantine/core'
import IconLayoutColumns from '@tabler/icons-react/dist/esm/icons/IconLayoutColumns.mjs'
import { t } from '#contract/texts/t.ts'
import classes from './view-menu.module.css'
import type { LineOrder, TextLayout, useConversationView } from './view.ts'

interface ViewMenuProps {
  view: ReturnType<typeof useConversationView>
  hasTranslation: boolean
  hasSpeakers: boolean
}

const orders: { value: LineOrder; label: string }[] = [
  { value: 'time', label: t('By time') },
  { value: 'speaker', label: t('By speaker') },
]
const layouts: { value: TextLayout; label: string }[] = [
  { value: 'side', label: t('Side by side') },
  { value: 'stacked', label: t('Stacked') },
  { value: 'original', label: t('Original only') },
  { value: 'translation', label: t('Translation only') },
]

/** Chooses how the conversation is shown. */
export function ViewMenu({ view, hasTranslation, hasSpeakers }: ViewMenuProps) {
  const { order, layout, showTimestamps, highlightKeywords } = view
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          className={classes.button}
          variant="subtle"
          color="gray"
          size="compact-sm"
          h={32}
          aria-label={t('View')}
          leftSection={<IconLayoutColumns size={16} stroke={1.5} aria-hidden />}
        >
          <span className={classes.label}>{t('View')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hasSpeakers && (
          <>
            <Menu.Label>{t('Order')}</Menu.Label>
            <Menu.RadioGroup value={order} onChange={(value) => view.setOrder(pick(orders, value))}>
              {orders.map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </>
        )}
        {hasTranslation && (
          <>
            <Menu.Label>{t('Texts')}</Menu.Label>
            <Menu.RadioGroup value={layout} onChange={(value) => view.setLayout(pick(layouts, value))}>
              {layouts.map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </>
        )}
        <Menu.Label>{t('Show')}</Menu.Label>
        <Menu.CheckboxItem
          checked={showTimestamps}
          onChange={(isChecked) => view.change({ showTimestamps: isChecked })}
        >
          {t('Times')}
        </Menu.CheckboxItem>
        <Menu.CheckboxItem
          checked={highlightKeywords}
          onChange={(isChecked) => view.change({ highlightKeywords: isChecked })}
        >
          {t('Keywords')}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function pick<Value extends string>(choices: { value: Value }[], value: string): Value {
  const found = choices.find((choice) => choice.value === value)
  if (!found) throw new Error(`There is no view “${value}”`)
  return found.value
}
