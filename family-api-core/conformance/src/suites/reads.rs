//! The cases about the documents of a family, which every storage reads.

/// Adds the cases, and those about keys and users, to a suite.
macro_rules! with_read_cases {
    ($($suite:tt)*) => {
        with_account_cases! {
            $($suite)*
            boards keeping [Board] with fields [Board.isPrivate] {
                a_private_board_is_visible_only_to_its_owner
                a_private_board_without_an_owner_is_visible_to_no_one
            }
            boards keeping [Board] {
                boards_are_sorted_by_order_then_creation_time_then_id
                columns_are_sorted_by_order_then_id_and_can_be_empty
                every_field_of_a_board_and_its_columns_is_returned
            }
            boards {
                a_family_without_records_has_empty_documents
                a_document_equals_the_serde_output_of_its_records
                each_of_many_records_is_returned
            }
            tasks needs [Tasks] with fields [Task.isPrivate] after seed_families {
                a_private_task_is_visible_only_to_its_creator
            }
            tasks keeping [Board] with fields [Task.isPrivate Board.isPrivate] after seed_families {
                board_visibility_is_checked_before_task_visibility
            }
            tasks needs [Tasks] after seed_families {
                the_filter_selects_open_tasks_done_tasks_or_both
                tasks_of_another_family_are_not_visible
                a_found_task_equals_the_listed_task
                tasks_are_sorted_by_order_then_id
                a_task_has_ids_but_no_names_of_people_who_left_the_family
                every_field_of_a_task_is_returned
            }
            events needs [Events] with fields [Event.assigneeId] after seed_families {
                an_event_has_the_id_but_no_name_of_an_assignee_who_left
            }
            events needs [Events] after seed_families {
                events_of_another_family_are_not_visible
                a_found_event_equals_the_listed_event
                events_are_sorted_by_start_then_id
                from_selects_events_that_start_at_or_after_it
                to_selects_events_that_end_at_or_before_it
                from_and_to_select_events_that_match_both
                the_instants_of_an_event_keep_their_milliseconds_in_any_year
                every_field_of_an_event_is_returned
            }
            overlapping_events needs [Events] with fields [Event.recurrence] after seed_families {
                an_event_overlaps_a_range_from_its_start_to_its_end
                an_event_that_recurs_is_listed
                overlapping_events_are_sorted_by_start_then_id
            }
            overlapping_events needs [Events] after seed_families {
                overlapping_events_of_another_family_are_not_visible
                an_overlapping_event_equals_the_listed_event
            }
            shopping keeping [ShoppingList] with fields [ShoppingList.isPrivate] after seed_families {
                a_private_list_is_visible_only_to_its_owner
            }
            shopping keeping [ShoppingList] with fields [ShoppingList.isPrivate ShoppingItem.isPrivate] after seed_families {
                a_private_item_is_visible_only_to_the_member_who_added_it
            }
            shopping keeping [ShoppingList] after seed_families {
                lists_are_sorted_by_sort_order_then_name_then_id
                every_field_of_a_list_is_returned
            }
            shopping needs [Shopping] with fields [ShoppingItem.addedById] after seed_families {
                an_item_has_the_id_but_no_name_of_a_member_who_left
            }
            shopping needs [Shopping] after seed_families {
                a_found_item_equals_the_listed_item
                items_are_sorted_unchecked_first_then_oldest_then_by_id
                every_field_of_an_item_is_returned
            }
            notes needs [Notes] with fields [Note.authorId] after seed_families {
                a_note_has_the_id_but_no_name_of_an_author_who_left
            }
            notes needs [Notes] with fields [Note.pinned] after seed_families {
                notes_are_sorted_pinned_first_then_newest_then_by_id
            }
            notes needs [Notes] after seed_families {
                notes_of_another_family_are_not_visible
                a_found_note_equals_the_listed_note
                every_field_of_a_note_is_returned
            }
            task_stats needs [Tasks TaskStats] with fields [Task.assigneeId] after seed_families {
                stats_count_assigned_tasks_and_own_unassigned_tasks
                a_stats_period_includes_its_start_and_excludes_its_end
                stats_count_only_completed_tasks_as_done
            }
            task_stats needs [Tasks TaskStats] keeping [Board]
                with fields [Task.creatorId Task.assigneeId Task.isPrivate Board.isPrivate] after seed_families
            {
                stats_do_not_count_invisible_tasks
                stats_do_not_count_private_tasks_of_other_members
            }
        }
    };
}
