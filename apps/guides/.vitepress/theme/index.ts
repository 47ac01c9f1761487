import theme from 'vitepress/theme-without-fonts'
import layout from './layout.vue'
import './style.css'

export default { extends: theme, Layout: layout }
