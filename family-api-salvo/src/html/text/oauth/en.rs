//! The texts in English.

use super::{ConsentText, Message, OAuthErrorText, OAuthText, WritesText};

pub(in super::super) const TEXT: OAuthText = OAuthText {
    consent: ConsentText {
        title: "Connect an app",
        question: "Allow this app to use your family’s data?",
        client: "The app calls itself",
        no_name: "It gives no name",
        unchecked_name: "Nobody has checked this name.",
        publisher: "Published by",
        destination: "Access goes to",
        this_device: "An app on this device",
        user: "You are signed in as",
        web_warning: "Allow this only if you started the connection yourself and know the website that gets access.",
        loopback_warning: "Access goes to your own device. Allow this only if you have just started the connection in \
                           an app on this device.",
        app_warning: "Access goes to an app on your device, and another installed app could pretend to be it. Allow \
                      this only if you have just started the connection in an app that you trust.",
        access: "What may the app do?",
        read: "Read only",
        read_hint: "Read the tasks, events, shopping lists and notes that you can see. Change nothing.",
        read_profile_hint: "Read the tasks, events, shopping lists and notes that you can see, and your profile with your e-mail \
                            address. Change nothing.",
        change: "Read and change",
        full: "Read, add, change and delete",
        read_all: "Read everything that you can see.",
        writes: WritesText {
            change_tasks: "Change tasks.",
            change_notes: "Change and delete notes.",
            manage_tasks: "Add, delete and bring back tasks.",
            manage_notes: "Add and bring back notes.",
            write_events: "Add, change, delete and bring back events.",
            write_shopping: "Add shopping lists. Add, change, check off, delete and bring back shopping items.",
        },
        api_is_off: "Programs and assistants are switched off, so the app could do nothing.",
        enable_api: "Switch programs and assistants on",
        enable_api_hint: "Your keys and the other apps that you connected then work again, too.",
        enable_api_required: "To allow the connection, also switch programs and assistants on.",
        allow: "Allow",
        deny: "Deny",
        time_limit: "If you do not answer within 10 minutes, nothing is connected.",
        end_later: "You can end the connection at any time under {page}.",
    },
    errors: OAuthErrorText {
        personal_api_is_on: "Programs and assistants are now switched on.",
        malformed_request: Message {
            title: "The app’s request is not valid",
            advice: "Nothing was connected. Ask the maker of the app for help.",
        },
        refused_request: Message {
            title: "The app’s request is not valid",
            advice: "Nothing was connected. If you did not start this connection yourself, close this page. Otherwise go \
                     back to the app, which can then tell you more.",
        },
        back_to_client: "Back to the app:",
        unknown_client: Message {
            title: "The app is unknown",
            advice: "Nothing was connected. Remove the connection in the app, and add it again.",
        },
        client_document: Message {
            title: "The app’s description cannot be used",
            advice: "Nothing was connected. Try again later, or ask the maker of the app for help.",
        },
        foreign_redirect: Message {
            title: "The app wants to send you to an unknown address",
            advice: "Nothing was connected. If you did not start this connection yourself, close this page. Otherwise \
                     ask the maker of the app for help.",
        },
        invalid_form: Message {
            title: "This answer is not valid",
            advice: "Nothing was connected. Go back to the app, and start the connection again.",
        },
        expired: Message {
            title: "This page has expired",
            advice: "Nothing was connected. Go back to the app, and start the connection again.",
        },
        used: Message {
            title: "You have already answered",
            advice: "An answer counts once. If the app is not connected, start the connection again in the app.",
        },
        other_user: Message {
            title: "You are signed in as another user",
            advice: "Nothing was connected. This page was opened for another user. Start the connection again in the \
                     app.",
        },
        signed_out: Message {
            title: "You are no longer signed in",
            advice: "Nothing was connected. Start the connection again in the app, and sign in.",
        },
        cross_site: Message {
            title: "This answer came from another site",
            advice: "Nothing was connected. If you did not expect this, close the page that you came from.",
        },
        limit_reached: Message {
            title: "You have too many connections",
            advice: "Nothing was connected. End a connection that you no longer need, and try again.",
        },
        too_many_requests: Message {
            title: "Too many attempts",
            advice: "Wait a minute, and start the connection again in the app.",
        },
        unavailable: Message {
            title: "The service is not available now",
            advice: "Wait a moment, and start the connection again in the app.",
        },
        internal: Message { title: "Something went wrong", advice: "Start the connection again in the app." },
    },
};
