//! The texts in English.

use super::{
    ApiText, ConfirmText, ConnectionsText, CreateText, CreatedText, KeysText, ListText, ModeText, ModesText,
    ProblemsText,
};

pub(in super::super) const TEXT: KeysText = KeysText {
    signed_in_as: "Signed in as",
    sign_out: "Sign out",
    needs_script: "This page needs JavaScript. Switch it on in the browser.",
    loading: "Loading…",
    api: ApiText {
        title: "Personal API",
        explanation: "Decides whether programs and assistants may use the personal API, with which they can also change \
                      data in your name.",
        switch: "Allow access in my name",
        on: "Your keys and connected apps can do what you allowed each of them to do.",
        off: "Programs can change nothing, and apps that are connected to the personal API are refused. Every key can \
              still read your family's tasks, events, shopping lists and notes. To stop that too, revoke the key.",
        switched_on: "The personal API is on.",
        switched_off: "The personal API is off.",
    },
    list: ListText {
        title: "My keys",
        empty: "You have no keys.",
        failed: "The list could not be loaded, and may be out of date.",
        unnamed: "Key without a name",
        key: "Key",
        created: "Created",
        expires: "Expires",
        never_expires: "Never",
        last_used: "Last used",
        never_used: "Never used",
        unused: "Unused for 90 days",
        revoke: "Revoke",
        revoked: "The key was revoked.",
    },
    create: CreateText {
        title: "Create a key",
        explanation: "A key lets one program use your family's data in your name. \
                      Create a separate key for each program, so that you can revoke it alone.",
        prefilled: "A link filled in this form. Check it first: nothing is created until you press the button.",
        name: "Name",
        name_hint: "So that you recognise the key later, for example “Home Assistant”.",
        mode: "What may the program do?",
        api_is_off: "The personal API is off, so only basic reading is possible now. \
                     Switch it on above to create this key.",
        expires: "Expires",
        week: "In 7 days",
        month: "In 30 days",
        quarter: "In 90 days",
        year: "In one year",
        never: "Never",
        submit: "Create key",
    },
    created: CreatedText {
        title: "Your new key",
        once: "Copy the key now. It is shown only this once.",
        copy: "Copy",
        copied: "Copied.",
        copy_failed: "The browser did not permit copying. The text is selected, so you can copy it yourself.",
        use_it: "Set up a program",
        secret: "These settings contain the key. Keep them private.",
        terminal: "Terminal",
        add_to: "Add to the file",
        done: "Done, I have saved the key",
    },
    connections: ConnectionsText {
        title: "Connected apps",
        explanation: "Assistants and apps that you allowed to use your family's data without a key.",
        empty: "No app is connected.",
        address: "To connect an assistant, enter this address in it:",
        unnamed: "App without a name",
        host: "Website",
        this_device: "This device",
        connected: "Connected",
        disconnect: "Disconnect",
        disconnected: "The app was disconnected.",
    },
    confirm: ConfirmText {
        revoke: "Revoke “{name}”?",
        revoke_effect: "Programs that use this key are refused at once. This cannot be undone.",
        disconnect: "Disconnect “{name}”?",
        disconnect_effect: "The app is refused at once. To use it again, you have to connect it again.",
        cancel: "Cancel",
    },
    modes: ModesText {
        mcp_read: ModeText {
            name: "Basic reading",
            explanation: "Reads tasks, events, shopping lists and notes, even while the personal API is off.",
        },
        v1_read: ModeText {
            name: "Read only",
            explanation: "Reads tasks, events, shopping lists and notes through the personal API.",
        },
        v1_read_write: ModeText {
            name: "Read and change",
            explanation: "Also changes tasks, and changes or deletes notes.",
        },
        v1_full: ModeText {
            name: "Add, change and delete everything",
            explanation: "Also adds, changes and deletes tasks, events, shopping items and notes. Everything that \
                          was deleted can be restored for 30 days.",
        },
        other: "Other access",
    },
    problems: ProblemsText {
        title: "This did not work",
        network: "The server could not be reached. Check the connection and try again.",
        not_signed_in: "You are not signed in.",
        signed_out: "You are no longer signed in. Nothing was changed, and what you typed is still here. \
                     Sign in again, then come back and try again.",
        sign_in: "Sign in",
        cross_site: "The server refused the request, because it seems to come from another site. \
                     Open this page at its usual address.",
        api_disabled: "The personal API is off. Switch it on above, or choose basic reading.",
        not_found: "It no longer exists. The list is now up to date.",
        key_limit_reached: "You already have the maximum number of keys. Revoke one that you no longer need.",
        invalid: "The server did not accept the entry:",
        maybe_created: "The server's answer did not arrive, so the key may have been created without being shown. \
                        If the list above has a key that you do not know, revoke it before you try again.",
        rate_limited: "Too many attempts. Wait {seconds} seconds and try again.",
        unavailable: "The server cannot answer at the moment. Try again shortly.",
        unexpected: "Something went wrong on the server. Try again later. Request: {id}",
    },
};
