<?php

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

global $wpdb;

delete_option('vidimus_age_gate');
delete_post_meta_by_key('_vidimus_gate');
delete_post_meta_by_key('_vidimus_part');
foreach (['_transient_vidimus_', '_transient_timeout_vidimus_'] as $prefix) {
    $wpdb->query($wpdb->prepare("DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like($prefix) . '%'));
}
wp_cache_flush();
