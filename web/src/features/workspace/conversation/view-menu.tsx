import { Button, Menu } from '@mantine/core'
import IconLayoutColumns from '@tabler/icons-react/dist/esm/icons/IconLayoutColumns.mjs'
import classes from './view-menu.module.css'
import type { LineOrder, TextLayout, useConversationView } from './view.ts'

interface ViewMenuProps {
  view: ReturnType<typeof useConversationView>
  hasTranslation: boolean
  hasSpeakers: boolean
}

const orders: { value: LineOrder; label: string }[] = [
  { value: 'time', label: 'By time' },
  { value: 'speaker', label: 'By speaker' },
]
const layouts: { value: TextLayout; label: string }[] = [
  { value: 'side', label: 'Side by side' },
  { value: 'stacked', label: 'Stacked' },
  { value: 'original', label: 'Original only' },
  { value: 'translation', label: 'Translation only' },
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
          aria-label="View"
          leftSection={<IconLayoutColumns size={16} stroke={1.5} aria-hidden />}
        >
          <span className={classes.label}>View</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hasSpeakers && (
          <>
            <Menu.Label>Order</Menu.Label>
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
            <Menu.Label>Texts</Menu.Label>
            <Menu.RadioGroup value={layout} onChange={(value) => view.setLayout(pick(layouts, value))}>
              {layouts.map(({ value, label }) => (
                <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                  {label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </>
        )}
        <Menu.Label>Show</Menu.Label>
        <Menu.CheckboxItem
          checked={showTimestamps}
          onChange={(isChecked) => view.change({ showTimestamps: isChecked })}
        >
          Times
        </Menu.CheckboxItem>
        <Menu.CheckboxItem
          checked={highlightKeywords}
          onChange={(isChecked) => view.change({ highlightKeywords: isChecked })}
        >
          Keywords
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
