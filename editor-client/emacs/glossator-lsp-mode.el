;;; glossator-lsp-mode.el --- Glossator with lsp-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Glossator runs beside the language's own server, as an add-on.

;;; Code:

(require 'cl-lib)
(require 'lsp-mode)
(require 'glossator)

;;;###autoload
(defun glossator-lsp-mode-setup ()
  "Let lsp-mode start Glossator in the modes of `glossator-modes'."
  (interactive)
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () glossator-command)
                                          #'glossator-lsp-mode--is-there)
    :major-modes glossator-modes
    :priority -1
    :add-on? t
    :server-id 'glossator
    :initialization-options #'glossator-lsp-mode--initialization-options
    :notification-handlers (glossator-lsp-mode--table
                            "$/progress" #'glossator-lsp-mode--handle-progress)
    :action-handlers (glossator-lsp-mode--table
                      "glossator.explain" #'glossator-lsp-mode--explain
                      "glossator.callChain" #'glossator-lsp-mode--call-chain)))
  (add-hook 'glossator-server-functions #'glossator-lsp-mode--server))

(defun glossator-lsp-mode--table (&rest pairs)
  "Return a hash table with PAIRS of keys and values."
  (let ((table (make-hash-table :test 'equal)))
    (cl-loop for (key value) on pairs by #'cddr do (puthash key value table))
    table))

(defun glossator-lsp-mode--is-there ()
  "Say whether the server can be started, and what to do when it cannot."
  (let ((missing (glossator-explain-missing-command)))
    (when missing
      (message "Glossator: %s" missing))
    (not missing)))

(defun glossator-lsp-mode--initialization-options ()
  "Return Glossator's options for the workspace of this buffer."
  (glossator-initialization-options (lsp-workspace-root)))

(defun glossator-lsp-mode--server ()
  "Return this buffer's Glossator workspace of lsp-mode, or nil."
  (cl-find 'glossator (lsp-workspaces)
           :key (lambda (workspace)
                  (lsp--client-server-id (lsp--workspace-client workspace)))))

(defun glossator-lsp-mode--to-plist (value)
  "Return VALUE of lsp-mode with property lists for objects."
  (cond ((hash-table-p value)
         (let (plist)
           (maphash (lambda (key inner)
                      (setq plist (cons (intern (concat ":" key))
                                        (cons (glossator-lsp-mode--to-plist inner) plist))))
                    value)
           plist))
        ((vectorp value) (cl-map 'vector #'glossator-lsp-mode--to-plist value))
        (t value)))

(cl-defmethod glossator-roots ((workspace lsp--workspace))
  "Return the folder of WORKSPACE."
  (list (lsp--workspace-root workspace)))

;; lsp-mode 8 says nothing of encodings and gets the protocol's default.
(cl-defmethod glossator-encoding ((workspace lsp--workspace))
  "Return the unit that WORKSPACE and newer versions of lsp-mode agree on."
  (or (plist-get (glossator-lsp-mode--to-plist
                  (lsp--workspace-server-capabilities workspace))
                 :positionEncoding)
      "utf-16"))

(cl-defmethod glossator-send ((workspace lsp--workspace) params on-result on-error)
  "Send WORKSPACE the command in PARAMS; ON-RESULT or ON-ERROR gets what comes."
  (with-lsp-workspace workspace
    (lsp-request-async
     "workspace/executeCommand" params
     (lambda (result) (funcall on-result (glossator-lsp-mode--to-plist result)))
     :mode 'detached
     :error-handler (lambda (failure)
                      (funcall on-error (plist-get (glossator-lsp-mode--to-plist failure)
                                                   :message))))))

(cl-defmethod glossator-notify ((workspace lsp--workspace) method params)
  "Send WORKSPACE the notification METHOD with PARAMS."
  (with-lsp-workspace workspace
    (lsp-notify method params)))

(defun glossator-lsp-mode--handle-progress (workspace params)
  "Take the events of answers in PARAMS.
Other progress of WORKSPACE is left to lsp-mode."
  (let ((progress (glossator-lsp-mode--to-plist params)))
    (unless (glossator-handle-progress (plist-get progress :token) (plist-get progress :value))
      (funcall lsp-progress-function workspace params))))

(defun glossator-lsp-mode--show-action (action title)
  "Show the answer of ACTION's command under TITLE."
  (let ((command (glossator-lsp-mode--to-plist action)))
    (glossator-show-command (glossator-lsp-mode--server)
                            (plist-get command :command)
                            (elt (plist-get command :arguments) 0)
                            title)))

(defun glossator-lsp-mode--explain (action)
  "Show the answer of ACTION, an explanation."
  (glossator-lsp-mode--show-action action "Explain"))

(defun glossator-lsp-mode--call-chain (action)
  "Show the answer of ACTION, a call chain."
  (glossator-lsp-mode--show-action action "Call chain"))

(provide 'glossator-lsp-mode)
;;; glossator-lsp-mode.el ends here
