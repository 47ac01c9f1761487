<?php
/**
 * Plugin Name:       Vidimus Age Gate
 * Description:       Shows a site, categories, posts or parts of a post only to visitors who proved their age with a digital identity wallet.
 * Version:           1.0.0
 * Requires at least: 6.1
 * Requires PHP:      8.2
 * License:           Apache-2.0
 * License URI:       https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain:       vidimus-age-gate
 * Domain Path:       /languages
 */

declare(strict_types=1);

namespace VidimusAgeGate;

defined('ABSPATH') || exit;

const VERSION = '1.0.0';
const FILE = __FILE__;

// The SDK, under a namespace of its own, so that another plugin may have another version.
spl_autoload_register(function (string $class): void {
    $prefix = 'VidimusAgeGate\\Sdk\\';
    if (str_starts_with($class, $prefix)) {
        require __DIR__ . '/sdk/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    }
});

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/settings-page.php';
require __DIR__ . '/includes/cookies.php';
require __DIR__ . '/includes/gates.php';
require __DIR__ . '/includes/leaks.php';
require __DIR__ . '/includes/box.php';
require __DIR__ . '/includes/flow.php';
require __DIR__ . '/includes/webhook.php';
require __DIR__ . '/includes/woocommerce.php';

add_action('init', function (): void {
    load_plugin_textdomain('vidimus-age-gate', false, dirname(plugin_basename(FILE)) . '/languages');
});
