"""The tests that `make test` leaves to `make test-all`, by their files.

`make test` decides whether the program is right: rules, notation, records, searches, the core and
its twin, the API and the commands in the process of the test, and one test of every real part. The
rest tests the same parts in other browsers, with several servers, for longer or with more faults.
"""

from __future__ import annotations

WHAT = "other browsers, several servers, faults, fuzzing, displays and longer sessions"
"""What the tests of `make test-all` add."""

KEPT: dict[str, tuple[str, ...]] = {
    # The page in Chromium.
    "test_page": ("test_game_is_played_to_its_end_by_mouse[basic]", "test_move_is_typed"),
    "test_page_analysis": (),
    "test_page_board": (),
    "test_page_check": (),
    "test_page_exercises": (),
    "test_page_explorer": (),
    "test_page_friends": (),
    "test_page_home": (),
    "test_page_labs": (),
    "test_page_numbers": (),
    "test_page_puzzles": (),
    "test_page_replay": (),
    "test_page_swap2": (),
    "test_page_visitor": (),
    "test_fair_play": (),
    "test_replay_page": (),
    "test_replay_modules": (
        "test_boards_equal_those_of_the_svg[basic]",
        "test_boards_equal_those_of_the_svg[ultimate]",
    ),
    "test_first_visit": (),
    # The site, boards in other pages, and Python in the browser.
    "test_site": (
        "test_a_level_sees_a_win_at_its_depth",
        "test_analyses_equal_those_of_the_server",
        "test_a_game_is_played_and_kept",
    ),
    "test_mcp_board": ("test_tools_name_the_board",),
    "test_site_offline": (),
    "test_site_tasks": (),
    "test_keys": (),
    "test_site_screens": (),
    "test_embed": ("test_comments_of_a_record_stay_at_their_moves",),
    "test_browser_python": (),
    "test_wasm": (
        "test_answers_equal_those_of_the_native_core",
        "test_node_signature",
    ),
    # A second browser.
    "test_firefox": (),
    # Servers and databases that fail, and several of them.
    "test_servers": (),
    "test_server_faults": (),
    "test_store_faults": (),
    "test_full_disk": (),
    # Other machines.
    "test_cluster": (),
    # Fuzzing of interfaces.
    "test_openapi": (),
    "test_websocket_fuzz": (),
    "test_parse_time": (),
    # Bots and files of strangers that fail.
    "test_compliance": (),
    "test_bot_faults": (),
    "test_class": (),
    "test_check_strangers": (
        "test_chance_is_no_kept_value",
        "test_shared_rows_are_shown_by_a_mark",
        "test_skeleton_has_no_point_and_one_mistake",
    ),
    # Windows.
    "test_window": (
        "test_game_is_played_by_arrows_and_enter",
        "test_refused_move_is_explained",
        "test_undo_redo_and_viewing_earlier_moves",
        "test_machine_replies_and_undo_takes_back_both",
        "test_wrong_arguments_are_refused",
    ),
    "test_cs50_window": ("test_game_with_our_functions_from_start_to_play_again",),
    "test_window_display": ("test_basic_by_mouse_to_its_end",),
    # Environments in JAX, compiled bots, training, benches.
    "test_rl_jax": (),
    "test_export": ("test_source_fits_into_the_site",),
    "test_train": (),
    "test_bench": (),
    "test_strength": (),
    # Measures and charts.
    "test_comparison": (
        "test_control_c_ends_with_130",
        "test_effective_branching_factor_solves_its_equation",
        "test_growth_as_a_table_and_as_json",
        "test_limited_search_shows_a_lower_bound",
    ),
    "test_ratings_command": (
        "test_chart_names_every_line_with_its_rating",
        "test_missing_packages_are_named",
    ),
    # Sessions of the docs.
    "test_docs": (
        "test_pages_are_found",
        "test_console[README.md]",
        "test_python[index.md]",
        "test_python[python.md]",
        "test_links",
        "test_docstrings",
    ),
    "test_notebooks": (),
}
"""Files whose tests only `make test-all` runs. `make test` runs the listed exceptions too.

A name without parameters stands for the test with all of them.
"""

LEFT: dict[str, tuple[str, ...]] = {
    "test_adapters": (
        "test_accepted_openings_mislead_no_bot",
        "test_damaged_kaggle_archives_are_named",
        "test_example_bot_plays_its_games",
        "test_faults_of_programs",
        "test_function_runs_in_another_python",
        "test_kaggle_submission_of_several_files",
    ),
    "test_agents": (
        "test_alphazero_is_measured_on_a_data_set",
        "test_alphazero_knows_the_rules_and_learns",
        "test_continued_training_is_the_same",
        "test_q_learning_becomes_exact",
    ),
    "test_analysis_api": (
        "test_analysis_knows_the_proofs_of_sentences",
        "test_http_search_ends_when_its_client_disconnects",
        "test_lab_reports_progress",
        "test_replay_of_a_large_search_is_truncated",
        "test_review_comments_on_every_move[advanced]",
    ),
    "test_budgets": (
        "test_address_stores_a_bounded_size",
        "test_class_behind_one_address_plays_level_4_without_a_refusal",
    ),
    "test_campaign": (
        "test_all_moves_fail",
        "test_kills_change_nothing",
        "test_stale_results_do_not_count",
    ),
    "test_certificate": (
        "test_certificates_of_other_bots_and_games[words2]",
        "test_every_missing_position_is_noticed",
    ),
    "test_check": (
        "test_command_draws_the_board",
        "test_end_of_the_process_is_a_mistake_of_the_function[_exit]",
        "test_end_of_the_process_is_a_mistake_of_the_function[crash]",
        "test_end_of_the_process_is_a_mistake_of_the_function[loop]",
        "test_right_file_ends_with_0",
    ),
    "test_check_api": (
        "test_file_plays_only_its_game",
        "test_files_used_last_are_kept",
        "test_functions_have_verdicts_and_boards",
        "test_hanging_file_is_ended",
        "test_report_is_that_of_the_command",
        "test_restart_keeps_the_game_and_a_new_check_continues_it",
    ),
    "test_cli": ("test_games_shows_where_two_rules_differ",),
    "test_cs50": ("test_minimax_wins_fastest_and_loses_slowest",),
    "test_dataset": (
        "test_check_finds_faults",
        "test_games_are_split_whole_and_no_position_is_twice",
        "test_interrupted_command_makes_the_same_files",
        "test_moves_and_results_are_those_of_the_games",
        "test_no_estimate_is_called_exact",
    ),
    "test_engine": (
        "test_first_moves_are_worth_less_towards_the_edge",
        "test_of_moves_that_lose_as_late_one_that_stops_a_win_comes_first[mnk:15,15,5]",
        "test_selective_search_of_row_games_proves_only_true_values[2-mnk:9,9,5]",
    ),
    "test_engine_life": ("test_forked_child_has_engines_without_searches",),
    "test_even": ("test_positions_once_called_even_are_proven",),
    "test_event_loop": ("test_long_import",),
    "test_exercise_command": (
        "test_a_sheet_begins_with_the_easy_ones_and_is_compact",
        "test_pdf",
    ),
    "test_exercises": (
        "test_alphabeta_windows",
        "test_best_moves",
        "test_figures",
        "test_json[order]",
        "test_marks",
        "test_minimax_values",
        "test_no_two_are_alike",
        "test_orders",
        "test_simulations",
        "test_too_few",
    ),
    "test_explorer_api": ("test_a_game_of_ones_own_has_values_from_a_worker",),
    "test_five": ("test_proven_wins_hold_against_every_reply[mnk:15,15,5,exact]",),
    "test_foreign": ("test_bot_with_a_hostile_name",),
    "test_games_api": (
        "test_game_of_any_rules_is_played_to_its_end[mnk:19,19,5]",
        "test_updates_cost_what_changed",
    ),
    "test_gomoku_net": (
        "test_net_of_gomoku_learns",
        "test_positions_for_training_are_those_of_the_samples",
    ),
    "test_graders": (
        "test_check50_gives_our_verdicts",
        "test_command_writes_each_format",
        "test_format_of_a_class_is_a_folder",
        "test_plugin_checks_a_file",
        "test_plugin_does_not_import_the_file_and_leaves_tests_alone",
        "test_short_forms_are_the_same",
    ),
    "test_gymnasium": ("test_single_games_run_in_processes",),
    "test_judgement": ("test_all_that_speak_of_a_large_game_agree",),
    "test_labs": (
        "test_chart_of_first_move",
        "test_counts",
        "test_fastest",
        "test_first_move_is_repeatable_and_adds_up",
        "test_first_move_repeats_the_games_of_a_match",
        "test_more_games_continue_the_same_series",
        "test_prune_visits_the_leaves_of_the_textbook",
    ),
    "test_levels": (
        "test_levels_play_near_the_stones_of_a_large_board",
        "test_measure_continues",
        "test_tune_changes_a_level_of_one_game",
    ),
    "test_managers": ("test_codingame_games_are_played_to_their_end",),
    "test_match": (
        "test_bot_runs_in_its_folder",
        "test_database_keeps_the_games_too",
        "test_interrupted_match_ends_in_the_same_table",
        "test_json_holds_the_whole_result",
        "test_killed_process_costs_no_game",
        "test_report_shows_the_regret_of_moves",
        "test_table_grows_at_a_terminal",
    ),
    "test_match_report": (
        "test_accessibility",
        "test_every_position_equals_that_of_the_rules",
        "test_games_are_browsed_by_keyboard",
        "test_games_are_filtered",
        "test_light_and_dark",
        "test_nothing_is_wider_than_a_phone",
        "test_of_two_thousand_games_only_the_visible_are_drawn",
        "test_page_shows_the_winner_and_the_game_of_its_address",
        "test_regret_is_shown_beside_the_moves",
    ),
    "test_mcp": (
        "test_a_question_that_takes_too_long_is_refused",
        "test_fuzzed_conversation",
        "test_http",
        "test_http_is_for_programs_of_this_machine",
        "test_the_example_finds_the_values",
    ),
    "test_more": ("test_each_set_imports_its_files_only",),
    "test_nested_solver": ("test_values_before_the_plies_of_the_prover",),
    "test_nets": ("test_small_net_embeds_a_board_by_its_images",),
    "test_notation": ("test_long_row_games_round_trip_to_their_end[mnk:19,19,5]",),
    "test_proof_checkers": (
        "test_both_accept_whole_proofs",
        "test_damaged_proofs_are_refused[O, full=draw-4]",
    ),
    "test_prover": (
        "test_a_small_budget_leaves_the_verdict_open",
        "test_agrees_with_alpha_beta_to_the_end",
        "test_late_positions_have_the_values_of_the_rules",
        "test_strategies_are_the_same_each_time_and_complete",
    ),
    "test_puzzles": (
        "test_a_rating_counts_what_the_levels_play",
        "test_a_sample_is_proven_again",
        "test_games_do_not_depend_on_the_games_before",
        "test_the_same_command_makes_the_same_file",
    ),
    "test_puzzles_api": ("test_a_puzzle_is_solved_move_by_move",),
    "test_puzzles_keep": (
        "test_a_sample_is_proven_again",
        "test_the_command_makes_the_installed_puzzles",
        "test_the_only_win_is_that_of_the_checker",
    ),
    "test_record": (
        "test_full_disk_leaves_whole_games",
        "test_kill_leaves_whole_games",
        "test_many_parentheses_take_linear_time",
        "test_ten_thousand_variations",
        "test_two_processes_append_at_once",
    ),
    "test_replay": (
        "test_every_event_is_in_the_page",
        "test_page_is_small",
    ),
    "test_review": (
        "test_choices_of_the_engine_are_no_errors",
        "test_clues_are_true_and_name_no_good_move",
        "test_exercises_accept_the_moves_that_a_review_does_not_flag",
        "test_labels_follow_the_loss_with_its_error_taken_off",
        "test_moves_of_one_search_are_compared_at_one_depth",
        "test_threads_change_nothing[mnk:9,9,5]",
    ),
    "test_review_report": (
        "test_accessibility",
        "test_light_and_dark",
        "test_nothing_is_wider_than_a_phone",
    ),
    "test_saving": (
        "test_answer_waits_a_second_for_a_hanging_database",
        "test_closing_does_not_wait_forever",
        "test_deleted_game_stays_deleted_with_a_slow_database",
        "test_new_games_are_refused_when_too_many_wait",
    ),
    "test_search": (
        "test_only_the_centre_draws_misere",
        "test_published_values[connect4:4,4-draw]",
    ),
    "test_security": (
        "test_clients_behind_a_proxy_are_told_apart",
        "test_clients_that_leave_before_their_refusals_are_not_logged",
        "test_connection_that_answers_no_ping_is_closed",
        "test_endless_wait_is_cut_off",
        "test_host_names_are_allowed_by_options",
        "test_killed_workers_are_replaced",
        "test_no_key_is_in_the_log",
        "test_only_a_named_proxy_is_trusted",
        "test_refused_websockets_are_no_errors_of_the_server",
        "test_server_ends_at_once_during_a_search",
        "test_unavailable_address_is_reported",
        "test_websocket_that_does_not_read_in_time_is_told_why",
    ),
    "test_stepper": (
        "test_all_games_have_sentences_and_boards[mnk:19,19,5]",
        "test_back_and_jumps_read_few_of_a_hundred_thousand_events",
        "test_control_c_restores_the_terminal",
        "test_small_terminal_is_reported_and_a_larger_one_redrawn",
    ),
    "test_store": (
        "test_concurrent_programs_migrate_an_empty_database_once",
        "test_missing_driver_is_named_with_its_package",
        "test_servers_hear_of_each_other_s_changes_also_after_a_lost_connection",
        "test_two_programs_count_every_game_once",
    ),
    "test_strategy_moves": ("test_perfect_wins_from_the_start",),
    "test_submissions": ("test_python_under_another_name_is_checked",),
    "test_swap2_site": ("test_stones_of_the_script_are_even_by_the_engine_s_estimate",),
    "test_tables": ("test_a_board_that_takes_too_long_is_stopped_and_tried_longer",),
    "test_trace": ("test_trace_streams_in_bounded_memory",),
    "test_unbeatable": (
        "test_a_side_that_is_lost_from_the_start",
        "test_an_opponent_that_never_loses",
        "test_different_answers_are_all_followed",
        "test_regret_is_that_of_plain_recursion",
        "test_the_command_plays_whole_games_if_the_bot_remembers",
        "test_the_command_shows_the_lost_game",
    ),
    "test_vectors": (
        "test_files_are_small_and_the_same_each_time",
        "test_files_follow_the_schema",
        "test_openspiel_agrees_with_the_vectors",
        "test_the_core_in_node_follows_the_vectors",
    ),
    "test_workers": ("test_process_that_is_starting_ends_without_a_word",),
}
"""Tests of other files that only `make test-all` runs, by name as above."""

THINNED: dict[str, dict[str, int]] = {
    "test_adapters": {
        "test_faults_of_a_function": 3,
        "test_fault_is_told_in_terms_of_the_function": 3,
        "test_invalid_bot_files_are_refused": 2,
        "test_a_match_that_would_mislead_a_bot_does_not_begin": 2,
        "test_nineboard_agent_is_sent_the_result": 3,
    },
    "test_alphabeta_check": {"test_mistake_is_named": 8, "test_right_search_passes": 7},
    "test_analysis_api": {"test_every_move_has_a_value_and_a_line": 3},
    "test_batch": {"test_random_games_follow_the_rules": 6},
    "test_bounds": {"test_each_score_of_a_trace_is_true": 5, "test_each_value_drawn_is_true": 4},
    "test_campaign": {
        "test_campaigns_by_the_command_line": 2,
        "test_another_move_follows_a_job_that_is_not_won": 2,
        "test_damaged_lines_do_not_count": 2,
    },
    "test_check": {"test_mistake_is_named": 8, "test_right_file_passes": 4},
    "test_clock": {"test_no_clock_runs_out": 2},
    "test_conformance": {
        "test_symmetry_keeps_the_rules": 3,
        "test_position_strings_round_trip": 3,
        "test_keys_are_equal_exactly_if_positions_are": 3,
        "test_exactly_the_legal_moves_are_accepted": 2,
    },
    "test_core": {
        "test_perft": 2,
        "test_random_games": 2,
        "test_positions_parsed_from_strings_have_equal_perft": 2,
    },
    "test_count": {"test_core_equals_python": 2},
    "test_dataset": {"test_what_is_refused": 3},
    "test_docs": {"test_docstrings": 8},
    "test_engine": {
        "test_selective_search_of_row_games_proves_only_true_values": 3,
        "test_values_of_all_moves_know_wins_by_fours": 3,
        "test_endgames_agree_with_python": 2,
        "test_games_with_gravity_are_solved_weakly": 2,
        "test_published_values": 2,
        "test_every_position_of_small_games_is_solved": 3,
        "test_row_games_agree_with_python": 2,
        "test_estimates_of_successive_depths_differ_little": 3,
        "test_proofs_of_the_selective_search_are_right": 2,
        "test_searches_are_stopped_at_random_moments": 2,
    },
    "test_engine_life": {"test_program_ends_cleanly_during_a_search": 3},
    "test_evaluation": {"test_symmetric_positions_have_equal_values": 3},
    "test_exercises": {"test_json": 3, "test_difficulty": 3},
    "test_explain": {
        "test_sentences_about_random_positions": 6,
        "test_facts_by_the_rules_about_random_moves": 3,
        "test_sentences_about_one_position_of_each_symmetry_class": 3,
    },
    "test_explorer": {"test_all_values_are_exact": 2, "test_installed_openings": 3},
    "test_files": {"test_game_of_any_rules_survives_export_and_import": 3},
    "test_games_api": {
        "test_machine_replies_in_all_rules": 3,
        "test_game_of_any_rules_is_played_to_its_end": 2,
        "test_game_without_seat_or_key_is_not_found": 3,
        "test_opponents_play_an_own_game_to_its_end": 2,
    },
    "test_gomoku_net": {"test_estimates_are_those_of_the_network": 3},
    "test_graders": {"test_formats_agree": 2},
    "test_gymnasium": {"test_batches_are_like_single_games": 5},
    "test_hint": {"test_hints_of_games_are_true": 6},
    "test_levels": {"test_beginner_beats_the_level_of_newcomers_in_every_game": 2},
    "test_match": {"test_unplayable_game_ends_the_match": 3},
    "test_memory": {"test_memory_changes_no_answer": 4},
    "test_nested": {"test_random_games_follow_naive_rules": 2},
    "test_nested_solver": {
        "test_values_and_bounds_are_those_of_alpha_beta": 2,
        "test_the_move_of_a_draw_is_a_defence": 3,
    },
    "test_nets": {"test_estimates_are_those_of_the_arithmetic_described": 3},
    "test_notation": {
        "test_exactly_the_reachable_positions_are_read": 3,
        "test_mutated_nested_position_is_refused_or_sound": 2,
    },
    "test_opponents": {
        "test_every_limit_ends_every_search": 2,
        "test_stop_from_another_thread_ends_the_search": 2,
    },
    "test_own_code": {"test_wrong_evaluation_is_named": 2},
    "test_perft": {"test_perft": 6},
    "test_pool": {"test_proof_of_the_best_move_bounds_the_values_of_all": 2},
    "test_proof_checkers": {
        "test_the_proofs_of_nine_boards": 2,
        "test_a_leaf_that_is_not_won_is_refused": 2,
        "test_symmetric_replies_are_left_out_once": 3,
        "test_wrong_usage": 3,
    },
    "test_prover": {
        "test_replies_left_out_for_symmetry_have_the_same_value": 9,
        "test_moves_left_out_lose_at_once": 2,
        "test_agrees_with_the_solver_of_the_engine": 2,
    },
    "test_pseudocode": {"test_the_pseudocode_runs_through_the_highlighted_lines": 3},
    "test_puzzles": {
        "test_threats_agree_with_a_search_of_all_moves": 2,
        "test_installed_puzzles": 3,
        "test_other_moves_are_right_if_they_win_in_time": 3,
    },
    "test_rating": {"test_margins_contain_the_truth_as_often_as_they_claim": 3},
    "test_replay": {"test_boards_follow_the_rules": 2, "test_winning_lines": 3},
    "test_review": {
        "test_threads_change_nothing": 3,
        "test_accuracy_alone_is_that_of_the_review": 3,
        "test_proven_wins_are_those_of_exact_values": 2,
        "test_labels_and_accuracy_follow_exact_values": 2,
        "test_every_sentence_of_a_review_is_true": 3,
    },
    "test_search": {
        "test_node_limit_is_kept": 3,
        "test_every_position_of_basic_has_its_value_and_best_moves": 2,
        "test_incomplete_search_is_marked_and_claims_nothing_false": 2,
        "test_published_values": 2,
        "test_alphabeta_is_fail_soft": 2,
    },
    "test_situation": {
        "test_refusals_are_true": 3,
        "test_boards_of_the_sentence_are_those_of_the_legal_moves": 2,
    },
    "test_stacking": {"test_boards_of_play_are_never_refused": 3},
    "test_stepper": {
        "test_truncated_trace_is_reported": 8,
        "test_every_view_is_the_tree_so_far": 3,
        "test_sentence_is_true_of_its_event": 3,
        "test_all_games_have_sentences_and_boards": 2,
    },
    "test_store": {
        "test_database_of_every_older_version_is_migrated": 3,
        "test_saved_game_is_loaded_exactly": 2,
    },
    "test_tables": {
        "test_a_naive_solver_finds_the_committed_values": 3,
        "test_wrong_options_are_refused": 3,
    },
    "test_trace": {
        "test_json_lines_round_trip": 9,
        "test_trace_gives_the_tree_the_values_and_the_counters": 5,
    },
    "test_tree": {"test_every_game_can_be_drawn": 3},
    "test_variations": {"test_random_trees_match_a_plain_set_of_lines": 4},
    "test_window": {"test_game_is_played_by_arrows_and_enter": 6},
}
"""Tests with many examples; for 3, `make test` runs every third of them.

`make test-all` runs the others.
"""


def is_more(file: str, test: str, example: int = 0) -> bool:
    """Return whether only `make test-all` runs a test.

    Args:
        file: its file, without `.py`.
        test: its name, with its parameters.
        example: the number of the test among those of its function, from 0.
    """
    name = test.partition("[")[0]
    names = {test, name}
    if file in KEPT and names.isdisjoint(KEPT[file]):
        return True
    if not names.isdisjoint(LEFT.get(file, ())):
        return True
    return example % THINNED.get(file, {}).get(name, 1) > 0


def has_more(file: str) -> bool:
    """Return whether a file has tests that only `make test-all` runs."""
    return any(file in each for each in (KEPT, LEFT, THINNED))


def has_kept(file: str) -> bool:
    """Return whether a file has tests that `make test` runs."""
    return KEPT.get(file) != ()
