/* oxlint-disable no-underscore-dangle -- the name of WordPress's function, which its tools look for */
;(function ({ blocks, blockEditor, element, i18n }) {
  blocks.registerBlockType('vidimus/gate', {
    apiVersion: 2,
    title: i18n.__('Age gate', 'vidimus-age-gate'),
    category: 'design',
    icon: 'lock',
    edit() {
      const props = blockEditor.useBlockProps({ style: { border: '1px dashed', padding: '1em' } })
      const label = i18n.__('Only for visitors who proved their age', 'vidimus-age-gate')
      return element.createElement(
        'div',
        props,
        element.createElement('p', null, element.createElement('small', null, label)),
        element.createElement(blockEditor.InnerBlocks),
      )
    },
    save() {
      return element.createElement(blockEditor.InnerBlocks.Content)
    },
  })
})(window.wp)
