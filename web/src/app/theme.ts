import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import { t } from '#contract/texts/t.ts'

/** The only accent colour. */
const accent: MantineColorsTuple = [
  '#e8f5f5',
  '#d2e8e9',
  '#a5d2d5',
  '#74bac0',
  '#4ba6ae',
  '#2a929c',
  '#0e7c86',
  '#0b6871',
  '#08535b',
  '#053e44',
]

/** Warm greys: neither black nor white is pure. */
const gray: MantineColorsTuple = [
  '#f6f5f2',
  '#efeeea',
  '#e4e2dc',
  '#d3d0c8',
  '#b5b1a7',
  '#827e75',
  '#67635c',
  '#4d4a45',
  '#33312d',
  '#22211e',
]

const dark: MantineColorsTuple = [
  '#e6e4df',
  '#c9c6bf',
  '#a7a49d',
  '#7d7b76',
  '#3a3e44',
  '#2c3036',
  '#1f2328',
  '#181b1f',
  '#121417',
  '#0d0f11',
]

/** Speaker A. Has no other meaning. */
const indigo: MantineColorsTuple = [
  '#eef0fe',
  '#dcdffb',
  '#b9bff6',
  '#97a0f2',
  '#7a85ee',
  '#626eea',
  '#4b56d2',
  '#3c46b4',
  '#303891',
  '#232a6d',
]

const red: MantineColorsTuple = [
  '#fcebe9',
  '#f8d6d3',
  '#f2b0ab',
  '#ea8880',
  '#e0655b',
  '#cd4439',
  '#b3261e',
  '#951d16',
  '#771610',
  '#570f0b',
]

/** Speaker B. Has no other meaning. */
const amber: MantineColorsTuple = [
  '#fff4e0',
  '#fde7c2',
  '#f9d08d',
  '#f3b95a',
  '#eaa433',
  '#cf8718',
  '#9a5f06',
  '#7d4c04',
  '#633c03',
  '#482b02',
]

/** Keeps a dialog's header from being a banner of the page, and names its close button. */
const dialogProps = {
  closeButtonProps: { 'aria-label': t('Close') },
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 620 } },
}

export const theme = createTheme({
  focusRing: 'auto',
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, gray, dark, indigo, amber, red },
  white: '#ffffff',
  black: '#22211e',
  // Names and keywords in any script appear in Latin text: Arabic letters use the bundled typeface, loaded when one is shown.
  fontFamily: "'Inter Variable', 'Noto Naskh Arabic Variable', system-ui, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace, 'Noto Naskh Arabic Variable'",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.55', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(20 22 24 / 6%)',
    sm: '0 1px 2px rgb(20 22 24 / 6%)',
    md: '0 8px 24px rgb(20 22 24 / 12%)',
    lg: '0 8px 24px rgb(20 22 24 / 12%)',
    xl: '0 8px 24px rgb(20 22 24 / 12%)',
  },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // By name, not by import: the first page must not load components that it does not show.
  components: {
    Alert: { defaultProps: { variant: 'light', radius: 'md' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550 } },
    Button: { defaultProps: { fw: 560 } },
    Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' } },
    Drawer: { defaultProps: { ...dialogProps, position: 'right', overlayProps: { backgroundOpacity: 0.35 } } },
    // Every field takes the direction of its text. Passed as the property `dir`, it would apply to the frame.
    Input: { defaultProps: { attributes: { input: { dir: 'auto' } } } },
    PillsInputField: { defaultProps: { attributes: { field: { dir: 'auto' } } } },
    // A menu, like a tooltip, opens in the page's main region, so that its content is inside a landmark.
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        withInitialFocusPlaceholder: false,
        portalProps: { target: '#content' },
      },
    },
    Modal: {
      defaultProps: {
        ...dialogProps,
        centered: true,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close message') } } },
    Paper: { defaultProps: { radius: 'lg' } },
    PasswordInput: { defaultProps: { radius: 'md' } },
    Select: {
      defaultProps: { allowDeselect: false, checkIconPosition: 'right', maxDropdownHeight: 320 },
    },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    TextInput: { defaultProps: { radius: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, portalProps: { target: '#content' } } },
  },
})

/** Returns the quiet variant of a colour: background and text of badges and alerts. */
function softColors(name: string, ground: string, ink: string) {
  return { [`--mantine-color-${name}-light`]: ground, [`--mantine-color-${name}-light-color`]: ink }
}

/** Surfaces and lines of both colour schemes; the hues of speakers and categories are in styles.css. */
export const cssVariables: CSSVariablesResolver = (current) => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fafaf8',
    '--mantine-color-text': '#22211e',
    '--mantine-color-dimmed': '#67635c',
    '--mantine-color-placeholder': '#76726a',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': current.colors.accent?.[7] ?? '#0b6871',
    '--mantine-color-default-border': '#d9d6cf',
    ...softColors('accent', '#e4f2f2', '#0b6871'),
    ...softColors('green', '#e7f4e8', '#2c7033'),
    ...softColors('red', '#fcebe9', '#a5231b'),
    ...softColors('amber', '#fdf1dc', '#845105'),
    ...softColors('gray', '#efeeea', '#4d4a45'),
  },
  dark: {
    '--mantine-color-body': '#121417',
    '--mantine-color-text': '#e6e4df',
    '--mantine-color-dimmed': '#a7a49d',
    '--mantine-color-placeholder': '#8f8c86',
    '--mantine-color-error': '#f2928b',
    '--mantine-color-anchor': current.colors.accent?.[3] ?? '#74bac0',
    '--mantine-color-default': '#1a1d21',
    '--mantine-color-default-hover': '#22262b',
    '--mantine-color-default-border': '#343940',
    ...softColors('accent', '#14292c', '#8fcacf'),
    ...softColors('green', '#1c2f1f', '#8fcf96'),
    ...softColors('red', '#381f1e', '#f2a29c'),
    ...softColors('amber', '#33291a', '#f0b95c'),
    ...softColors('gray', '#272b30', '#c9c6bf'),
  },
})
